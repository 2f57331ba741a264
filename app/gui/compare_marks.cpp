#include "app/gui/compare_marks.h"

#include "app/gui/pinned.h"
#include "app/gui/value_words.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void compare_mark(App& app, Ui& ui, const parameter::Parameter& p, float left, float right, float top,
                  float height) {
  if (!differs_from_pinned(app, p)) return;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const parameter::Settings& a = app.document().pinned->settings;
  const Face& face = ui.faces.small_numbers;
  const std::string value = value_words(ui, app.study(), p, recipe::value_text(p, a)),
                    text = fitted(face, "A " + value, right - left);
  if (face.width(text) > right - left) return;
  ImGui::SetCursorScreenPos({left, top});
  const Press mark = press(ui, "compare:" + std::string(p.name), {face.width(text), height}, Tab::passes);
  put(*ImGui::GetWindowDrawList(), face, left, baseline_in(face, top, height),
      color(mark.hovered ? ui.tokens.text : ui.tokens.accent), text);
  help(ui, mark.hovered, ui.say("A has {}: click to take it", value));
  if (mark.clicked) app.change(p.name, a.value(p.name));
  ImGui::SetCursorScreenPos(cursor);
}

}  // namespace orrery::gui
