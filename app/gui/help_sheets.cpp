#include "app/gui/help_sheets.h"

#include <array>
#include <vector>

#include "app/export/libraries.h"
#include "app/gui/app.h"
#include "app/gui/libraries.h"
#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

struct Letter {
  std::string_view letter, meaning;
};
constexpr std::array letters{Letter{"$B$", "how many texts at once (batch)"},
                             Letter{"$H$", "heads of attention"},
                             Letter{"$T,\\ S$", "how many queries, how many keys"},
                             Letter{"$d$", "the width: of a head, or of the model"},
                             Letter{"$i$", "a pair of dimensions, from 0"},
                             Letter{"$m,\\ n$", "the positions of a query and of a key"},
                             Letter{"$b$", "the base (rope_theta)"},
                             Letter{"$\\theta_i$", "the frequency of a pair, radians a token"},
                             Letter{"$L$", "the trained length, tokens"},
                             Letter{"$s$", "the factor of an extension"},
                             Letter{"$q,\\ k,\\ v$", "query, key, value: a row is a token"},
                             Letter{"$M$", "the mask, added to the scores"},
                             Letter{"$\\mu,\\ \\sigma^2$", "mean and variance of a row"},
                             Letter{"$\\epsilon$", "what keeps a norm from dividing by 0"}};

/// In the middle of the window, `contents` in it and a button that closes it.
template <class Contents>
void sheet(Ui& ui, const char* id, bool& wanted, const Contents& contents) {
  if (wanted) ImGui::OpenPopup(id);
  wanted = false;
  const float padding = ui.px(20);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (begin_popup(ui, id)) {
    contents();
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

void line(Ui& ui, std::string_view left, std::string_view right, float column, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float row = ui.px(22), baseline = baseline_in(ui.faces.words, at.y, row);
  rich_line(ui, draw, at.x, baseline, ui.faces.words, ui.tokens.text, left);
  put(draw, ui.faces.words, at.x + column, baseline, color(ui.tokens.secondary),
      fitted(ui.faces.words, right, width - column));
  ImGui::Dummy({width, row});
}

std::vector<std::string> all_libraries() {
  std::vector<std::string> all = exporter::libraries();
  for (std::string& each : libraries()) all.push_back(std::move(each));
  return all;
}

}  // namespace

void AboutSheet::draw(App& app, Ui& ui) {
  sheet(ui, "about", wanted_, [&] {
    const float width = ui.px(360);
    const std::string name = std::string("Orrery ") + ORRERY_VERSION;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    put(*ImGui::GetWindowDrawList(), ui.faces.title, at.x, baseline_in(ui.faces.title, at.y, ui.px(28)),
        color(ui.tokens.text), name);
    ImGui::Dummy({width, ui.px(34)});
    const std::string what = ui.say("The numerics inside a Transformer, to turn and to check. MIT licence.");
    ImGui::Dummy({width, rich_text(ui, *ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width,
                                   ui.faces.words, ui.tokens.secondary, what)
                             .height});
    gap(ui, 10);
    section_head(ui, ui.say("Made with"));
    gap(ui, 2);
    std::string report = name + "\n";
    for (const std::string& library : all_libraries()) {
      const std::size_t space = library.find(' ');
      line(ui, library.substr(0, space), library.substr(std::min(space, library.size() - 1) + 1), ui.px(140),
           width);
      report += library + "\n";
    }
    if (!app.gpu.text.empty()) report += app.gpu.text + "\n";
    gap(ui, 12);
    const ImVec2 foot = ImGui::GetCursorScreenPos();
    if (button(ui, "about-copy", ui.say("Copy"), {ui.px(80), ui.px(26)})) {
      ImGui::SetClipboardText(report.c_str());
      app.say(Notice::Kind::done, ui.say("copied: {}", name));
    }
    ImGui::SetCursorScreenPos({foot.x + width - ui.px(80), foot.y});
    if (button(ui, "about-close", ui.say("Close"), {ui.px(80), ui.px(26)}, true)) ImGui::CloseCurrentPopup();
  });
}

void NotationSheet::draw(Ui& ui) {
  sheet(ui, "notation", wanted_, [&] {
    const float width = ui.px(380);
    section_head(ui, ui.say("Notation"));
    gap(ui, 4);
    for (const Letter& each : letters) line(ui, each.letter, ui.say(each.meaning), ui.px(80), width);
    gap(ui, 12);
    const ImVec2 foot = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({foot.x + width - ui.px(80), foot.y});
    if (button(ui, "notation-close", ui.say("Close"), {ui.px(80), ui.px(26)}, true))
      ImGui::CloseCurrentPopup();
  });
}

}  // namespace orrery::gui
