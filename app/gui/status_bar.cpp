#include <algorithm>
#include <cmath>

#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void status_bar(const App& app, Ui& ui, const FigureView& view, double frame_seconds) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const Face& numbers = ui.faces.small_numbers;
  const float baseline = baseline_in(numbers, at.y, size.y), space = ui.px(32);
  float x = at.x + ui.px(20);
  const auto say = [&](const std::string& text, figure::Color ink) {
    put(draw, numbers, x, baseline, color(ink), text);
    x += numbers.width(text) + space;
  };

  if (const study::Outcome* outcome = app.result()) {
    say(outcome->device_name, ui.tokens.secondary);
    say("computed in " + duration_text(outcome->seconds), ui.tokens.secondary);
    const std::vector<study::Check>& checks = outcome->result.checks;
    const auto failed =
        std::count_if(checks.begin(), checks.end(), [](const study::Check& c) { return !c.holds(); });
    if (failed > 0)
      say(formatted("%td of %zu checks fail", failed, checks.size()), ui.tokens.fails);
    else if (!checks.empty())
      say(formatted("%zu checks hold", checks.size()), ui.tokens.secondary);
  }
  if (app.stale()) say("computing\u2026", ui.tokens.accent);
  say("frame " + duration_text(frame_seconds), ui.tokens.secondary);

  const figure::Scene& scene = view.scene();
  const std::string dimensions =
      formatted("%.0f \u00D7 %.0f px", std::round(scene.width * ui.scale * ui.raster),
                std::round(scene.height * ui.scale * ui.raster));
  const float right = at.x + size.x - ui.px(20);
  const float left_of_dimensions = right - numbers.width(dimensions) - space;
  if (scene.width > 0) put(draw, numbers, right, baseline, color(ui.tokens.faint), dimensions, Align::right);

  const Face& words = ui.faces.words;
  if (!app.notice.text.empty()) {
    const bool error = app.notice.kind == Notice::Kind::error;
    put(draw, words, x, baseline_in(words, at.y, size.y), color(error ? ui.tokens.fails : ui.tokens.holds),
        fitted(words, app.notice.text, left_of_dimensions - x));
  } else if (!ui.faces.note.empty()) {
    put(draw, words, x, baseline_in(words, at.y, size.y), color(ui.tokens.faint),
        fitted(words, ui.faces.note, left_of_dimensions - x));
  }
}

}  // namespace orrery::gui
