#include "app/gui/tour.h"

#include <algorithm>
#include <string>

#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

constexpr std::string_view study_id = "rope/rotation";
constexpr std::array<std::string_view, 3> steps{"Drag the hand of any clock; Space stops and starts",
                                                "Move Base to 10 000: more clocks finish their turn",
                                                "Click one of the things to try, on the right"};
constexpr float least_step = 150;

}  // namespace

void Tour::start(App& app) {
  wanted_ = false;
  on_ = true;
  done_ = {};
  base_moved_ = false;
  app.open(study::find(study_id));
  began_ = app.settings();
}

void Tour::look(const App& app) {
  const parameter::Settings& now = app.settings();
  done_[0] = done_[0] || now.vector("vector") != began_.vector("vector");
  base_moved_ = base_moved_ || now.real("base") != began_.real("base");
  done_[1] = done_[1] || (base_moved_ && now.real("base") <= 10000);
  done_[2] = done_[2] || app.just_tried() != nullptr;
}

float Tour::draw(App& app, Ui& ui, float width) {
  if (wanted_) start(app);
  if (on_ && app.study().id != study_id) on_ = false;
  if (!on_) return 0;
  look(app);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float side = ui.px(20), pad = ui.px(10), number = ui.px(20), room = width - side - 2 * pad;
  const int columns = room >= ui.px(3 * least_step) ? 3 : 1;
  const float step = room / static_cast<float>(columns);
  // As high as the step that takes the most lines.
  float tall = 0;
  for (const std::string_view each : steps)
    tall = std::max(tall, rich_height(ui, step - number - pad, ui.faces.words, ui.say(each)));
  const float row = tall + ui.px(4), high = row * static_cast<float>(3 / columns) + ui.px(12);
  draw.AddRectFilled(at, {at.x + width, at.y + high}, color(ui.tokens.pane), ui.px(5));
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const float x = at.x + pad + step * static_cast<float>(i % columns),
                y = at.y + ui.px(6) + row * static_cast<float>(i / columns), first = ui.px(19);
    if (done_[k])
      tick_mark(draw, {x + ui.px(5), y + first / 2}, ui.px(10), color(ui.tokens.holds), ui.raster);
    else
      put(draw, ui.faces.numbers, x, baseline_in(ui.faces.numbers, y, first), color(ui.tokens.accent),
          std::to_string(i + 1));
    rich_text(ui, draw, {x + number, y}, step - number - pad, ui.faces.words,
              done_[k] ? ui.tokens.faint : ui.tokens.text, ui.say(steps[k]));
    ui.items.mark("tour:" + std::to_string(i) + (done_[k] ? ":done" : ""), {x, y}, {x + step, y + row});
  }
  ImGui::SetCursorScreenPos({at.x + width - side - ui.px(4), at.y + ui.px(4)});
  const Press close = press(ui, "tour-close", {side, side});
  cross_mark(draw, {(close.low.x + close.high.x) / 2, (close.low.y + close.high.y) / 2}, ui.px(9),
             color(close.hovered || close.focused ? ui.tokens.text : ui.tokens.faint), ui.raster);
  help(ui, close, ui.say("Close; Help brings it back"));
  if (close.clicked) on_ = false;
  return high + ui.px(10);
}

}  // namespace orrery::gui
