#include "app/gui/form_dialog.h"

#include <algorithm>
#include <utility>

#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

// Lengths of the design.
constexpr float margin_x = 24, margin_y = 20, dialog_head = 28, least_rows = 96, first_rows = 420, edge = 12;

}  // namespace

float FormDialog::inner_width(const Ui& ui, float width) {
  return width - 2 * ui.px(margin_x);
}

bool FormDialog::begin(Ui& ui, const char* id, std::string_view heading, const Shape& shape) {
  const ImVec2 whole = ImGui::GetMainViewport()->Size, margin(ui.px(margin_x), ui.px(margin_y));
  foot_ = shape.foot;
  const float around = 2 * margin.y + ui.px(dialog_head) + shape.foot;
  // Held at its top: rows that come and go must not move the others away from under the mouse.
  const float top = std::max(ui.px(edge), std::min(ui.px(48), whole.y / 2 - ui.px(320)));
  const float most = std::max(ui.px(least_rows), whole.y - top - ui.px(edge) - around);
  const float rows = std::min(most, content_ > 0 ? content_ : ui.px(first_rows));

  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, margin);
  ImGui::SetNextWindowPos({whole.x / 2, top}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({shape.width, rows + around});
  const bool open =
      begin_modal(ui, id,
                  ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  if (!open) {
    ImGui::PopStyleVar();
    return false;
  }
  section_head(ui, heading);
  ImGui::SetCursorPosY(margin.y + ui.px(dialog_head));
  low_ = ImGui::GetCursorScreenPos();
  high_ = {low_.x + shape.rows, low_.y + rows};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  compat::begin_child("rows", {shape.rows, rows});
  return true;
}

void FormDialog::end_rows(Ui& ui) {
  const float before = std::exchange(content_, ImGui::GetCursorPosY());
  if (content_ != before) ui.wake_in(0.01);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::SetCursorPosY(ImGui::GetWindowSize().y - ui.px(margin_y) - foot_);
}

void FormDialog::end(Ui& ui) {
  end_popup(ui);
  ImGui::PopStyleVar();
}

}  // namespace orrery::gui
