#include "app/gui/divider.h"

#include <cmath>

#include "app/gui/pane.h"
#include "app/gui/widgets.h"

namespace orrery::gui {

void Divider::set(App& app, float width) const {
  app.edit("Width", name_,
           [&](Document& d) { d.panes.*width_ = std::clamp(width, range_.least, range_.most); });
}

void Divider::draw(App& app, Ui& ui, ImVec2 low, ImVec2 high) {
  constexpr float by_arrow = 8;
  const Tokens& t = ui.tokens;
  const bool left = side_ > 0;
  pane(name_, low, high, left ? t.pane : t.ground, {0, 0}, ImGuiWindowFlags_NoScrollbar, [&] {
    const Press p = press(ui, name_, {high.x - low.x, high.y - low.y});
    const bool lit = p.hovered || p.held || p.focused;
    if (lit) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float middle = std::floor((low.x + high.x) / 2), line = 1 / ui.raster;
    draw.AddRectFilled({middle, low.y}, high, color(left ? t.ground : t.pane));
    draw.AddRectFilled({lit ? middle - line : middle, low.y}, {middle + line, high.y},
                       color(lit ? t.accent : t.line));

    const float now = app.document().panes.*width_, pointer = ImGui::GetIO().MousePos.x / ui.scale;
    if (p.double_clicked)
      set(app, Panes{}.*width_);
    else if (p.started)
      grabbed_ = now - side_ * pointer;
    else if (p.held && ImGui::GetIO().MouseDelta.x != 0)
      set(app, grabbed_ + side_ * pointer);
    if (p.focused)
      if (const Turn turn = take_turn(ui, Arrows::sideways); turn.steps != 0)
        set(app, now + side_ * by_arrow * static_cast<float>(turn.steps));
  });
}

}  // namespace orrery::gui
