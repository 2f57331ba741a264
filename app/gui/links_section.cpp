#include "app/gui/links_section.h"

#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void follow(App& app, const study::Link& link) {
  try {
    const study::Study& to = study::find(link.study);
    const parameter::Settings settings = study::settings_of(link);
    app.edit(to.title, {}, [&](Document& d) {
      d.live.study = &to;
      d.live.settings = settings;
      d.view = {};
    });
    app.hush();
  } catch (const std::exception& error) {
    app.say(error);
  }
}

void links_section(App& app, Ui& ui) {
  const recipe::Outcome* outcome = app.result();
  if (!outcome || outcome->study != &app.study() || !app.error().empty()) return;
  const std::vector<study::Link> links = study::links_in(outcome->result);
  if (links.empty() || !ui.sections.head(app, ui, "links", ui.say("On with these numbers"))) return;
  gap(ui, 2);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const study::Link* pressed = nullptr;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const study::Link& link = links[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = room(ui), indent = ui.px(18);
    const std::string text =
        ui.say(study::find(link.study).title) + ": " + ui.say(link.text) + " (" + ui.say(link.of) + ")";
    const float height = rich_height(ui, width - indent, ui.faces.words, text);
    const Press p = press(ui, "link:" + std::to_string(i), {width, height + ui.px(6)}, Tab::stops);
    if (p.hovered)
      draw.AddRectFilled({p.low.x - ui.px(6), p.low.y}, {p.high.x + ui.px(6), p.high.y},
                         color(ui.tokens.control), ui.px(4));
    rich_text(ui, draw, {at.x, at.y + ui.px(3)}, indent, ui.faces.words, ui.tokens.accent, "→");
    rich_text(ui, draw, {at.x + indent, at.y + ui.px(3)}, width - indent, ui.faces.words,
              p.hovered ? ui.tokens.text : ui.tokens.secondary, text);
    if (p.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (p.clicked) pressed = &link;
  }
  gap(ui, 10);
  if (pressed != nullptr) follow(app, *pressed);
}

}  // namespace orrery::gui
