// Shapes, arrows, arcs and words.
#include <cmath>
#include <numbers>

#include "app/figure/gallery.h"

namespace orrery::figure::exhibit {

namespace {

using std::numbers::pi;

Line wave(double length, int count, double speed) {
  Line line;
  for (int i = 0; i < count; ++i) {
    line.x.push_back(length * i / (count - 1));
    line.y.push_back(std::sin(speed * line.x.back()) * std::exp(-2.5 * line.x.back() / length));
  }
  return line;
}

}  // namespace

Panel shapes() {
  Panel panel;
  panel.equal_aspect = true;
  Shape star{.fill = Ink{Role::series, 1, 0.4}, .edge = series(1), .label = "not convex"};
  for (int i = 0; i < 10; ++i) {
    const double r = i % 2 ? 0.45 : 1, turn = pi * i / 5 + pi / 2;
    star.x.push_back(1.2 + r * std::cos(turn));
    star.y.push_back(1.2 + r * std::sin(turn));
  }
  Shape hexagon{.edge = series(0), .dash = Dash::dashed, .label = "convex"};
  for (int i = 0; i < 6; ++i) {
    hexagon.x.push_back(3.2 + std::cos(pi * i / 3));
    hexagon.y.push_back(1.8 + std::sin(pi * i / 3));
  }
  panel.marks = {std::move(star), std::move(hexagon)};
  panel.x.range = Range{0, 4.4};
  panel.y.range = Range{0, 3.6};
  return panel;
}

Panel arrows() {
  Panel panel;
  panel.equal_aspect = true;
  panel.x.label = "$x_{2i}$";
  panel.y.label = "$x_{2i+1}$";
  Arrows field{.width = 0.7, .head = 3.5, .label = "turning"};
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j) {
      field.x.push_back(i);
      field.y.push_back(j);
      field.dx.push_back(-0.25 * j);
      field.dy.push_back(0.25 * i);
    }
  panel.marks = {std::move(field), Arrows{.x = {0},
                                          .y = {0},
                                          .dx = {2.5},
                                          .dy = {1.5},
                                          .ink = {Role::accent, 0, 1},
                                          .heads = Heads::both,
                                          .label = "both ends"}};
  panel.x.range = panel.y.range = Range{-4, 4};
  return panel;
}

Panel arcs() {
  Panel panel;
  panel.equal_aspect = true;
  panel.x = {.range = Range{-1.25, 1.45}, .visible = false};
  panel.y = {.range = Range{-1.25, 1.25}, .visible = false};
  const double from = 0.35, to = 1.75;
  const auto vector = [](double angle, int color) {
    return Arrows{.x = {0}, .y = {0}, .dx = {std::cos(angle)}, .dy = {std::sin(angle)}, .ink = series(color)};
  };
  panel.marks = {
      Arc{.ink = {Role::outline, 0, 1}},
      Arc{.radius = 0.75,
          .from = pi,
          .sweep = pi / 2,
          .ink = series(2),
          .dash = Dash::dashed,
          .fill = Ink{Role::series, 2, 0.2},
          .text = "$\\pi/2$"},
      vector(from, 0),
      vector(to, 1),
      Arc{.radius = 24,
          .from = from,
          .sweep = to - from,
          .on_page = true,
          .ink = {Role::text, 0, 1},
          .width = 0.7,
          .heads = Heads::end,
          .head = 4,
          .text = "$m\\theta$"},
      Note{.x = 1.08 * std::cos(from), .y = 1.08 * std::sin(from), .text = "$q$", .h = HAlign::left},
      Note{.x = 1.1 * std::cos(to), .y = 1.1 * std::sin(to), .text = "$q'$", .v = VAlign::bottom}};
  return panel;
}

Panel notes() {
  Panel panel;
  panel.x.label = "位置";
  panel.y.label = "注意力";
  panel.marks = {wave(12, 240, 1.4), Annotation{.x = 1.02, .y = 0.8, .text = "first peak", .dx = 44, .dy = 4},
                 Annotation{.x = 3.26, .y = -0.5, .text = "最小 at $t = \\frac{7\\pi}{5}$\nor near it"}};
  return panel;
}

Panel insets() {
  Panel panel;
  panel.x.label = "$x$";
  panel.y.label = "$f(x)$";
  panel.marks = {
      wave(9, 200, 2), Inset{.text = "$\\lambda = \\pi$\n$\\tau = 3.6$"},
      Inset{.text = "n = 200", .place = LegendPlace::bottom_right, .numbers = true, .frame = false}};
  return panel;
}

}  // namespace orrery::figure::exhibit
