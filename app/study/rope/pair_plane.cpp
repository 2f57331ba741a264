#include "app/study/rope/pair_plane.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>

#include "app/study/kit/numbers.h"
#include "app/study/kit/panels.h"
#include "app/study/text.h"

namespace orrery::study {

namespace {

using figure::Ink;
using figure::Role;

constexpr double full_turn = 2 * std::numbers::pi;
constexpr Ink quiet_ink{Role::secondary, 0, 1};

figure::Arrows arrow(double x, double y, Ink ink, double width) {
  return {.x = {0}, .y = {0}, .dx = {x}, .dy = {y}, .ink = ink, .width = width};
}

/// Words beyond the tip of an arrow, on the side that it points to; of one along an axis, beside the axis.
figure::Note beyond(double x, double y, std::string text, Ink ink) {
  const double length = std::hypot(x, y);
  figure::Note note{.x = x, .y = y, .text = std::move(text), .ink = ink};
  if (length > 0) {
    const double across = x / length, up = y / length;
    constexpr double along_axis = 0.2;
    note.dx = std::abs(across) < along_axis ? (across < 0 ? -8 : 8)
              : std::abs(up) < along_axis   ? (across < 0 ? 9 : -9)  // within the circle
                                            : 11 * across;
    note.dy = std::abs(up) < along_axis ? (up < 0 ? 8 : -7) : -9 * up;
  }
  return note;
}

/// Through the origin, a little beyond what is drawn, clear of the words below it.
figure::Line through_origin(double across, double up) {
  return {.x = {-across, across},
          .y = {-up, up},
          .ink = {Role::grid, 0, 1},
          .width = 0.6,
          .dash_by_series = false,
          .reading = {.none = true}};
}

/// Right of the circle, on the side of the axis where no vector is: beyond its end, the next panel's numbers may stand.
figure::Note name_across(double x, std::string text, bool above) {
  return {.x = x,
          .text = std::move(text),
          .ink = quiet_ink,
          .h = figure::HAlign::left,
          .v = above ? figure::VAlign::bottom : figure::VAlign::top,
          .dy = above ? -2.0 : 3.0};
}

/// Whether a vector lies below the right end of the axis across.
bool below_the_right(double x, double y) {
  return x > 0 && y < -0.02 * x && y > -1.5 * x;
}

/// Where the name of a vector would lie on the upper end of an axis: -1 left of it, 1 right of it, 0 neither.
int beside_the_top(double x, double y) {
  constexpr double steep = 0.75;
  return y > steep * std::hypot(x, y) ? (x < 0 ? -1 : 1) : 0;
}

/// At the upper end of the other, on the left but where a vector has its name there; at the lower end where both sides are
/// taken.
figure::Note name_up(double high, double low, std::string text, std::initializer_list<int> taken) {
  const bool on_left = std::ranges::find(taken, -1) != taken.end(),
             on_right = std::ranges::find(taken, 1) != taken.end();
  const bool below = on_left && on_right, right = on_left && !on_right;
  return {.y = below ? low : high,
          .text = std::move(text),
          .ink = quiet_ink,
          .h = right ? figure::HAlign::left : figure::HAlign::right,
          .v = below ? figure::VAlign::bottom : figure::VAlign::top,
          .dx = right ? 4.0 : -4.0,
          .dy = below ? 0.0 : -3.0};
}

void add_trail(figure::Panel& panel, const Clock& clock, Ink ink) {
  for (std::size_t age = clock.trail.size(); age-- > 0;) {  // the oldest below
    const Hand& hand = clock.trail[age];
    ink.alpha = trail_alpha(age, clock.trail.size());
    panel.marks.emplace_back(figure::Points{.x = {hand.x},
                                            .y = {hand.y},
                                            .ink = ink,
                                            .radius = 1.8,
                                            .symbol_by_series = false,
                                            .within = 0.05,
                                            .reading = {.none = true}});
  }
}

}  // namespace

figure::Panel plane_panel(const PairPlane& plane) {
  const Clock& c = plane.clock;
  const double length = std::hypot(c.to_x, c.to_y), radius = std::max(1.0, length), limit = 1.45 * radius;
  const bool once_round = std::abs(c.angle) >= full_turn;
  const Ink turned = once_round ? Ink{Role::text, 0, 1} : Ink{Role::accent, 0, 1};

  figure::Panel panel;
  panel.equal_aspect = true;
  panel.legend = figure::LegendPlace::none;
  const std::string across =
      plane.complex ? "$\\mathrm{Re}$" : "$x_{" + std::to_string(plane.column_a) + "}$";
  const std::string up = plane.complex ? "$\\mathrm{Im}$" : "$x_{" + std::to_string(plane.column_b) + "}$";
  panel.x = {.label = plane.alone ? across : std::string(),
             .range = figure::Range{-limit, limit},
             .visible = plane.alone};
  panel.y = {.label = plane.alone ? up : std::string(),
             .range = figure::Range{-1.8 * radius, limit},  // the words below have a row of their own
             .visible = plane.alone};
  panel.marks = {through_origin(1.38 * radius, 0), through_origin(0, 1.25 * radius),
                 figure::Arc{.radius = length, .ink = {Role::outline, 0, 1}, .width = 0.7}};
  if (plane.complex && std::abs(length - 1) > 0.02)
    panel.marks.emplace_back(
        figure::Arc{.radius = 1, .ink = {Role::outline, 0, 1}, .width = 0.7, .dash = figure::Dash::dotted});
  add_trail(panel, c, turned);
  panel.marks.emplace_back(arrow(c.from_x, c.from_y, quiet_ink, 1));
  if (plane.complex) {
    const double x = std::cos(c.angle), y = std::sin(c.angle);
    panel.marks.emplace_back(arrow(x, y, figure::series(0), 1));
    panel.marks.emplace_back(beyond(x, y, "$e^{\\mathrm{i}m\\theta}$", figure::series(0)));
  }
  const double sweep = std::fmod(c.angle, full_turn);
  figure::Arc angle{
      .radius = 0.32 * std::max(length, 0.4), .from = std::atan2(c.from_y, c.from_x), .sweep = sweep};
  angle.ink = turned;
  angle.width = 0.8;
  angle.heads = std::abs(sweep) > 0.3 ? figure::Heads::end : figure::Heads::none;
  angle.head = 4;
  panel.marks.emplace_back(angle);
  panel.marks.emplace_back(arrow(c.to_x, c.to_y, turned, 1.3));
  panel.marks.emplace_back(beyond(c.from_x, c.from_y, plane.complex ? "$z$" : "$x$", quiet_ink));
  // Where the two numbers lie on one another only the factor has its name: the product is z times it.
  const bool apart = std::hypot(c.to_x - std::cos(c.angle), c.to_y - std::sin(c.angle)) > 0.25;
  if (!plane.complex || apart)
    panel.marks.emplace_back(
        beyond(c.to_x, c.to_y, plane.complex ? "$z\\,e^{\\mathrm{i}m\\theta}$" : "$y$", turned));
  if (!plane.alone) {
    const bool below_taken = below_the_right(c.from_x, c.from_y) || below_the_right(c.to_x, c.to_y) ||
                             (plane.complex && below_the_right(std::cos(c.angle), std::sin(c.angle)));
    panel.marks.emplace_back(name_across(1.07 * radius, across, below_taken));
    panel.marks.emplace_back(
        name_up(limit, -1.25 * radius, up,
                {beside_the_top(c.from_x, c.from_y), beside_the_top(c.to_x, c.to_y),
                 plane.complex ? beside_the_top(std::cos(c.angle), std::sin(c.angle)) : 0}));
  }
  figure::Note words{.x = 0, .y = -1.8 * radius, .ink = quiet_ink};
  words.text = "pair " + std::to_string(plane.pair) + ": " + fixed_text(c.angle / full_turn, 3) + " turns";
  words.v = figure::VAlign::bottom;
  panel.marks.emplace_back(std::move(words));
  return panel;
}

Series column_series(const tensor::Matrix<double>& before, const tensor::Matrix<double>& after) {
  Series columns("vector", {"column", "", counted(after.cols())});
  columns.add("before", row_of(before)).add("turned", row_of(after));
  return columns;
}

figure::Panel vector_panel(const Series& columns, bool alone) {
  return {
      .x = counts("column"),
      .y = values(),
      .marks = {columns.points(
                    "before",
                    {.ink = quiet_ink, .radius = 1.2, .symbol = figure::Symbol::ring, .label = "before"}),
                columns.stems("turned",
                              {.ink = figure::series(0), .width = 0.6, .radius = 1.2, .label = "turned"})},
      .legend = alone ? figure::LegendPlace::above : figure::LegendPlace::none};
}

}  // namespace orrery::study
