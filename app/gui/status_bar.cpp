#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/gui/number_text.h"
#include "app/gui/panels.h"
#include "app/gui/pinned.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "app/recipe/pace.h"
#include "app/render/left_out.h"

namespace orrery::gui {
namespace {

/// What stands in the line from the left; the least important goes first where there is no room.
struct Part {
  int importance;
  std::string name, text;
  figure::Color ink;
};

/// How far the numbers are from those of the double reference.
std::string reference_text(const App& app, const Ui& ui) {
  const ReferenceWatch& watch = app.reference();
  if (watch.too_costly()) return ui.say("compare with ref\u2026");
  if (!watch.difference()) return {};
  const study::ResultDifference& d = *watch.difference();
  if (!d.unlike.empty()) return ui.say("no comparison with ref");
  return d.relative == 0 ? ui.say("equal to ref")
                         : ui.say("\u2264 {} from ref", formatted("%.1e", d.relative));
}

std::string checks_text(const Ui& ui, std::size_t all, std::size_t failed) {
  if (failed == 0) return all == 1 ? ui.say("{} check holds", 1) : ui.say("{} checks hold", all);
  return all == 1 ? ui.say("{} check fails", 1) : ui.say("{} of {} checks fail", failed, all);
}

std::vector<Part> parts_of(const App& app, const Ui& ui, const figure::Scene& scene) {
  std::vector<Part> parts;
  const figure::Color quiet = ui.tokens.secondary;
  // With an error there is no outcome of these settings to speak of.
  if (const recipe::Outcome* outcome = app.error().empty() ? app.result() : nullptr) {
    if (app.left_behind())
      parts.push_back({6, "left-behind", ui.say("of the settings before"), ui.tokens.accent});
    parts.push_back({3, "device-name", ui.say(outcome->device_name), quiet});
    parts.push_back({4, "seconds", ui.say("computed in {}", duration_text(outcome->seconds)), quiet});
    if (const std::string text = reference_text(app, ui); !text.empty())
      parts.push_back({3, "reference", text, quiet});
    const std::vector<study::Check>& checks = outcome->result.checks;
    const auto failed =
        std::count_if(checks.begin(), checks.end(), [](const study::Check& c) { return !c.holds(); });
    if (!checks.empty())
      parts.push_back({failed > 0 ? 5 : 2, "checks",
                       checks_text(ui, checks.size(), static_cast<std::size_t>(failed)),
                       failed > 0 ? ui.tokens.fails : quiet});
    if (const std::size_t unsaid = scene.left_out.size(); unsaid > 0)
      parts.push_back({4, "no-room",
                       unsaid == 1 ? ui.say("no room for 1 text") : ui.say("no room for {} texts", unsaid),
                       ui.tokens.accent});
  }
  return parts;
}

/// Says where the largest difference is; a click asks for one that costs more, or shows it in the figure.
void reference_part(App& app, Ui& ui, float x, float top, float width, float height) {
  ImGui::SetCursorScreenPos({x, top});
  const Press p = press(ui, "reference", {width, height}, Tab::passes);
  ReferenceWatch& watch = app.reference();
  if (watch.too_costly()) {
    help(ui, p.hovered, ui.say("Compute the double reference too, and say how far this is from it"));
    if (p.clicked) watch.ask();
    return;
  }
  const study::ResultDifference& d = *watch.difference();
  const std::string where =
      !d.unlike.empty()
          ? ui.say("The double reference shows something else in {}: there is no difference to speak of.",
                   d.unlike)
      : d.where.empty() ? std::string()
                        : ui.say("Over the largest of its column or mark, in {}. Absolute: {}.", d.where,
                                 formatted("%.1e", d.absolute));
  help(ui, p.hovered, where + (where.empty() ? "" : " ") + ui.say("Click: show the difference"));
  if (p.clicked) compare_with_reference(app);
}

/// What drawing costs is for those who ask.
void seconds_part(Ui& ui, float x, float top, float width, float height, double frame_seconds) {
  const bool hovered =
      ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, top}, {x + width, top + height});
  help(ui, hovered, ui.say("frame {}", duration_text(frame_seconds)));
}

/// What the figure lacks in a pane that is so small.
void no_room_part(Ui& ui, float x, float top, float width, float height,
                  const std::vector<std::string>& left_out) {
  ImGui::SetCursorScreenPos({x, top});
  const Press p = press(ui, "no-room", {width, height});
  help(ui, p,
       language::say_phrase(ui.language, words("{}: a larger window has, and each panel by itself",
                                               render::left_out_phrase(left_out))));
}

float width_of(const std::vector<Part>& parts, const Face& face, float space) {
  float width = 0;
  for (const Part& part : parts) width += face.width(part.text) + space;
  return width;
}

/// What runs and can be ended: how far it is, in a place at least as wide as `widest`; what `pauses` it has a word.
struct Running {
  const char *name, *stopper;
  std::string text, widest, pauses{};

  float text_width(const Ui& ui) const {
    const Face& numbers = ui.faces.small_numbers;
    return std::max(numbers.width(text), numbers.width(widest)) + ui.px(10);
  }
  static float button_width(const Ui& ui, const std::string& word) {
    return ui.faces.words.width(word) + ui.px(16);
  }
  float width(const Ui& ui) const {
    const float pause = pauses.empty() ? 0 : button_width(ui, pauses) + ui.px(6);
    return text_width(ui) + button_width(ui, ui.say("Stop")) + pause + ui.px(16);
  }
};

enum class Wish : std::uint8_t { none, stop, pause };

/// `x` moves behind it.
Wish progress(Ui& ui, const Running& running, float& x, float top, float height) {
  const Face& numbers = ui.faces.small_numbers;
  put(*ImGui::GetWindowDrawList(), numbers, x, baseline_in(numbers, top, height), color(ui.tokens.accent),
      running.text);
  ui.items.mark(running.name, {x, top}, {x + numbers.width(running.text), top + height});
  const float width = Running::button_width(ui, ui.say("Stop")), inset = ui.px(4);
  float at = x + running.text_width(ui);
  x += running.width(ui);
  ImGui::SetCursorScreenPos({at, top + inset});
  if (button(ui, running.stopper, ui.say("Stop"), {width, height - 2 * inset})) return Wish::stop;
  if (running.pauses.empty()) return Wish::none;
  at += width + ui.px(6);
  ImGui::SetCursorScreenPos({at, top + inset});
  const float pause = Running::button_width(ui, running.pauses);
  return button(ui, "pause", running.pauses, {pause, height - 2 * inset}) ? Wish::pause : Wish::none;
}

Running computing_part(const App& app, const Ui& ui) {
  const int percent = static_cast<int>(std::clamp(app.progress(), 0.0, 1.0) * 100);
  Running part{"progress", "cancel",
               percent > 0 ? ui.say("computing {} %", percent) : ui.say("computing\u2026"),
               ui.say("computing {} %", 100)};
  if (!app.takes_long()) return part;
  part.widest = ui.say("computing {} %, {} left", 100, ui.say("{} h {} min", 10, 59));
  part.pauses = app.paused() ? ui.say("Go on") : ui.say("Pause");
  if (app.paused()) {
    part.text = ui.say("paused at {} %", percent);
  } else if (const auto seconds = app.seconds_left()) {
    part.text = ui.say("computing {} %, {} left", percent, recipe::time_left(ui.language, *seconds));
  }
  return part;
}

std::string writing_text(const App& app, const Ui& ui) {
  const auto [done, all] = app.exporting().progress();
  return all > 1 ? ui.say("writing {} of {}", done, all) : ui.say("writing\u2026");
}

std::string notice_text(const App& app, const Ui& ui) {
  return app.notice().complaint.empty() ? ui.say(app.notice().text)
                                        : language::say_error(ui.language, app.notice().complaint);
}

void notice(const App& app, Ui& ui, float x, float right, float top, float height) {
  const Face& words = ui.faces.words;
  const bool said = !app.notice().text.empty();
  const std::string text = said ? notice_text(app, ui) : ui.say(ui.faces.note);
  if (text.empty() || right <= x) return;
  const bool error = app.notice().kind == Notice::Kind::error;
  const bool done = app.notice().kind == Notice::Kind::done;
  const figure::Color ink = error ? ui.tokens.fails : done && said ? ui.tokens.holds : ui.tokens.faint;
  const std::string shown = fitted(words, text, right - x);
  put(*ImGui::GetWindowDrawList(), words, x, baseline_in(words, top, height), color(ink), shown);
  ImGui::SetCursorScreenPos({x, top});
  const Press p = press(ui, "notice", {words.width(shown), height}, Tab::passes);
  help(ui, p.hovered && shown != text, text);
}

}  // namespace

void status_bar(App& app, Ui& ui, const FigureView& view, double frame_seconds) {
  if (app.reference().waiting()) ui.wake_in(ReferenceWatch::rest);
  if (app.watches_shaders()) ui.wake_in(ShaderWatch::period);
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const Face& numbers = ui.faces.small_numbers;
  const float margin = ui.px(20), space = ui.px(28), whole = size.x - 2 * margin;

  const figure::Scene& scene = view.scene();
  std::vector<Part> parts = parts_of(app, ui, scene);
  std::string dimensions;
  if (scene.width > 0)
    dimensions = formatted("%.0f \u00D7 %.0f px", std::round(scene.width * ui.scale * ui.raster),
                           std::round(scene.height * ui.scale * ui.raster));
  std::optional<Running> computing, writing;
  if (app.stale()) {
    computing = computing_part(app, ui);
    if (!app.paused()) ui.wake_in(1);  // what is left grows shorter
  }
  if (app.exporting().running()) ui.wake_in(1);  // a disk that does not answer wakes nobody
  if (app.exporting().running()) writing = {"export-progress", "export-stop", writing_text(app, ui), {}};
  // What runs now has its room whatever else stands here; with it, what happened last has half of the line.
  const float runs = (computing ? computing->width(ui) : 0) + (writing ? writing->width(ui) : 0);
  const float said = ui.faces.words.width(notice_text(app, ui));
  const float kept = std::max(runs, std::min(runs + said, whole / 2));
  if (width_of(parts, numbers, space) + numbers.width(dimensions) + kept > whole) dimensions.clear();
  while (!parts.empty() && width_of(parts, numbers, space) + numbers.width(dimensions) + kept > whole)
    parts.erase(std::min_element(parts.begin(), parts.end(),
                                 [](const Part& a, const Part& b) { return a.importance < b.importance; }));

  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float baseline = baseline_in(numbers, at.y, size.y);
  float x = at.x + margin, right = at.x + size.x - margin;
  for (const Part& part : parts) {
    put(draw, numbers, x, baseline, color(part.ink), part.text);
    ui.items.mark("status:" + part.name, {x, at.y}, {x + numbers.width(part.text), at.y + size.y});
    if (part.name == "seconds") seconds_part(ui, x, at.y, numbers.width(part.text), size.y, frame_seconds);
    if (part.name == "reference") reference_part(app, ui, x, at.y, numbers.width(part.text), size.y);
    if (part.name == "no-room") no_room_part(ui, x, at.y, numbers.width(part.text), size.y, scene.left_out);
    x += numbers.width(part.text) + space;
  }
  if (!dimensions.empty()) {
    put(draw, numbers, right, baseline, color(ui.tokens.faint), dimensions, Align::right);
    ui.items.mark("status:dimensions", {right - numbers.width(dimensions), at.y}, {right, at.y + size.y});
    right -= numbers.width(dimensions) + space;
  }
  if (computing) {
    const Wish wish = progress(ui, *computing, x, at.y, size.y);
    if (wish == Wish::stop) app.cancel();
    if (wish == Wish::pause) app.pause(!app.paused());
  }
  if (writing && progress(ui, *writing, x, at.y, size.y) == Wish::stop) app.cancel_export();
  notice(app, ui, x, right, at.y, size.y);
}

}  // namespace orrery::gui
