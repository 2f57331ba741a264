#include "app/gui/page_head.h"

#include <algorithm>
#include <cmath>

#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

/// Three bars, for the list, or two columns, for the inspector: brings a hidden pane back.
bool pane_button(Ui& ui, std::string_view name, std::string_view tip, ImVec2 at, bool list) {
  const float side = ui.px(26);
  ImGui::SetCursorScreenPos(at);
  const Press p = press(ui, name, {side, side});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (p.hovered) draw.AddRectFilled(p.low, p.high, color(ui.tokens.control), ui.px(4));
  const ImU32 ink = color(p.hovered || p.focused ? ui.tokens.text : ui.tokens.secondary);
  const float line = std::max(1.0f, 1.5f * ui.scale), left = p.low.x + ui.px(6), right = p.high.x - ui.px(6);
  for (int i = -1; i <= 1; ++i) {
    const float y = std::floor((p.low.y + p.high.y) / 2) + ui.px(5) * static_cast<float>(i);
    draw.AddRectFilled({left, y}, {list ? right : right - ui.px(6), y + line}, ink);
    if (!list) draw.AddCircleFilled({right - ui.px(2), y + line / 2}, ui.px(1.5f), ink);
  }
  help(ui, p, tip);
  return p.clicked;
}

}  // namespace

float page_head(const App& app, Ui& ui, const PaneLayout& panes, WindowWishes& wishes) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  // Title and summary share a baseline, as a sentence and its beginning do.
  const float margin = ui.px(28), baseline = at.y + ui.px(41);
  float left = at.x + margin, right = at.x + size.x - margin;
  if (panes.list == 0) {
    const float x = at.x + ui.px(12);
    if (pane_button(ui, "show-list", ui.say("The studies"), {x, baseline - ui.px(18)}, true))
      wishes.toggle_list = true;
    left = x + ui.px(34);
  }
  if (panes.inspector == 0) {
    right -= ui.px(14);
    if (pane_button(ui, "show-inspector", ui.say("Parameters and notes"), {right, baseline - ui.px(18)},
                    false))
      wishes.toggle_inspector = true;
    right -= ui.px(12);
  }
  const std::string title = ui.say(app.study().title), summary = ui.say(app.study().summary);
  put(draw, ui.faces.title, left, baseline, color(ui.tokens.text),
      fitted(ui.faces.title, title, right - left));
  ui.items.mark("title", {left, baseline - ui.faces.title.cap},
                {std::min(right, left + ui.faces.title.width(title)), baseline});
  const float after = left + ui.faces.title.width(title) + ui.px(18);
  if (rich_width(ui, ui.faces.words, summary) <= right - after) {
    rich_line(ui, draw, after, baseline, ui.faces.words, ui.tokens.secondary, summary);
    return ui.px(64);
  }
  // A long sentence, or a narrow page: below the title, in as many lines as it takes.
  const float below = ui.px(50);
  const float height = rich_text(ui, draw, {left, at.y + below}, at.x + size.x - margin - left,
                                 ui.faces.words, ui.tokens.secondary, summary)
                           .height;
  ui.items.mark("title:summary", {left, at.y + below}, {at.x + size.x - margin, at.y + below + height});
  return below + ui.px(12) + height;
}

}  // namespace orrery::gui
