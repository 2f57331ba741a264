// How a parameter runs by itself: a button beside its value, and below its slider how fast, from where to where, and what
// then.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/marks.h"
#include "app/gui/number_text.h"
#include "app/gui/parameter_panel.h"
#include "app/gui/slider_scale.h"

namespace orrery::gui {
namespace {

using parameter::Parameter;

constexpr std::array<std::string_view, std::size(speeds)> speed_names{"¼×", "½×", "1×", "2×", "4×"};

int place_of(double speed) {
  return static_cast<int>(
      std::ranges::min_element(speeds, {}, [&](double s) { return std::abs(s - speed); }) -
      std::begin(speeds));
}

struct LoopKind {
  std::string_view text;
  void (*mark)(ImDrawList&, ImVec2, float, ImU32);
};
constexpr std::array<LoopKind, 3> loop_kinds{LoopKind{"At its end it begins anew", round_mark},
                                             LoopKind{"At its end it turns back", back_and_forth_mark},
                                             LoopKind{"At its end it stops", once_mark}};

/// A number in little room.
std::string brief(double x) {
  return std::abs(x) < 1e6 ? value_text(parameter::Value(x)) : number_text(x, 3);
}

}  // namespace

float ParameterPanel::play_button(App& app, Ui& ui, const Row& row, float right) {
  const bool on = app.playing() == &row.p;
  const float side = ui.px(20);
  ImGui::SetCursorScreenPos({right - side, row.at.y});
  const Press play =
      press(ui, "play:" + std::string(row.p.name), {side, side}, row.p.plays ? Tab::stops : Tab::passes);
  const ImVec2 m((play.low.x + play.high.x) / 2, (play.low.y + play.high.y) / 2);
  // What its study made for running says so by its colour; any other shows the button to who is near.
  const bool quiet = !row.p.plays && app.moving() != &row.p;
  const figure::Color ink = quiet && !play.hovered ? ui.tokens.faint : ui.tokens.accent;
  (on ? pause_mark : play_mark)(*ImGui::GetWindowDrawList(), m, ui.px(10),
                                color(ink, play.hovered ? 1 : 0.9));
  help(ui, play, on ? ui.say("Stop (space)") : ui.say("Let it run (space)"));
  if (play.clicked) app.toggle_play(row.p);
  return right - side;
}

void ParameterPanel::motion_end(App& app, Ui& ui, const Row& row, bool first, ImVec2 at, float width) {
  const Parameter& p = row.p;
  const std::string name = std::string(p.name) + (first ? ":from" : ":to");
  const Motion motion = app.motion(p);
  const Way way = way_of(p, motion);
  const auto typed = [&](const std::string& text) {
    try {
      const double x = number_of(parameter::parse(p, text));
      Motion changed = motion;
      (first ? changed.from : changed.to) = x;
      app.set_motion(p, changed);
    } catch (const std::exception& error) {
      app.say(error);
    }
    return true;
  };
  if (field(app, ui, p, name, at, width, typed)) return;
  ImGui::SetCursorScreenPos(at);
  const Press box = press(ui, "motion:" + name, {width, ui.px(20)});
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (box.hovered) draw.AddRectFilled(box.low, box.high, color(ui.tokens.control), ui.px(3));
  const Face& face = ui.faces.small_numbers;
  put(draw, face, first ? box.high.x - ui.px(3) : box.low.x + ui.px(3), baseline_in(face, at.y, ui.px(20)),
      color(box.hovered ? ui.tokens.text : ui.tokens.secondary),
      fitted(face, brief(first ? way.from : way.to), width), first ? Align::right : Align::left);
  help(ui, box,
       first ? ui.say("Where it begins; right-click: at the slider's end")
             : ui.say("Where it ends; right-click: at the slider's end"));
  if (box.clicked) edit(ui, p, name, parameter::shortest(first ? way.from : way.to), box.by_key);
  if (box.right_clicked) {
    Motion changed = motion;
    (first ? changed.from : changed.to).reset();
    app.set_motion(p, changed);
  }
}

void ParameterPanel::motion(App& app, Ui& ui, const Row& row) {
  const Parameter& p = row.p;
  const std::string name(p.name);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(20), middle = at.y + height / 2, gap = ui.px(4);
  Motion motion = app.motion(p);

  // A narrow panel has one button for all speeds.
  const int speed = place_of(motion.speed);
  const bool narrow = row.width < ui.px(270);
  const float speeds_width = narrow ? ui.px(30) : ui.px(124);
  ImGui::SetCursorScreenPos({at.x - (narrow ? 0 : ui.px(2)), at.y});
  int wanted = -1;
  if (narrow) {
    if (button(ui, "speed:" + name, speed_names[static_cast<std::size_t>(speed)], {speeds_width, height}))
      wanted = (speed + 1) % static_cast<int>(speed_names.size());
  } else {
    wanted = segmented(ui, "speed:" + name, speed_names, speed, speeds_width, ui.faces.small_numbers);
  }
  if (wanted >= 0) {
    motion.speed = speeds[wanted];
    app.set_motion(p, motion);
  }

  const float side = height;
  float x = at.x + speeds_width + gap;
  ImGui::SetCursorScreenPos({x, at.y + ui.px(2)});
  const Press loop = press(ui, "loop:" + name, {side, side});
  const LoopKind& kind = loop_kinds[static_cast<std::size_t>(motion.loop)];
  kind.mark(draw, {x + side / 2, at.y + ui.px(12)}, ui.px(12),
            color(loop.hovered ? ui.tokens.text : ui.tokens.secondary));
  help(ui, loop, ui.say(kind.text));
  if (loop.clicked) {
    motion.loop =
        static_cast<Loop>((static_cast<int>(motion.loop) + 1) % static_cast<int>(loop_kinds.size()));
    app.set_motion(p, motion);
  }

  x += side + gap;
  const float close = ui.px(16), between = ui.px(12);
  const float end_width = std::floor((at.x + row.width - close - gap - x - between) / 2);
  const float top = at.y + ui.px(2);
  motion_end(app, ui, row, true, {x, top}, end_width);
  put(draw, ui.faces.small_numbers, x + end_width + between / 2,
      baseline_in(ui.faces.small_numbers, top, height), color(ui.tokens.faint), "–", Align::center);
  motion_end(app, ui, row, false, {x + end_width + between, top}, end_width);

  ImGui::SetCursorScreenPos({at.x + row.width - close, at.y + ui.px(2)});
  const Press away = press(ui, "motion-close:" + name, {close, height});
  cross_mark(draw, {away.low.x + close / 2, middle + ui.px(2)}, ui.px(9),
             color(away.hovered ? ui.tokens.text : ui.tokens.faint), ui.raster);
  help(ui, away, ui.say("Stop, and put this away"));
  if (away.clicked) app.dismiss_motion();
  ImGui::SetCursorScreenPos({at.x, at.y + ui.px(30)});
}

}  // namespace orrery::gui
