// A row of the lists in which one looks for a file.
#pragma once

#include <algorithm>

#include "app/gui/widgets.h"

namespace orrery::gui {

inline constexpr float picker_row_height = 24, picker_inset = 8;

/// Lit under the pointer, on its own ground when selected.
inline Press picker_row(Ui& ui, std::string_view name, float width, bool selected) {
  const Press p = press(ui, name, {width, ui.px(picker_row_height)}, Tab::passes);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (selected)
    selected_ground(ui, draw, p.low, p.high, ui.px(3));
  else if (p.hovered)
    draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(3));
  return p;
}

/// Brings the selected row into sight, some rows above it too.
inline void reveal_picker_row(const Ui& ui, int selected) {
  ImGui::SetScrollY(std::max(0.0f, static_cast<float>(selected - 4) * ui.px(picker_row_height)));
}

}  // namespace orrery::gui
