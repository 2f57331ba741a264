// The kinds of axes, and a legend that has no room among the data.
#include <cmath>
#include <numbers>

#include "app/figure/gallery.h"

namespace orrery::figure::exhibit {

namespace {

using std::numbers::pi;

template <class F>
Line curve(double from, double to, int count, F f) {
  Line line;
  for (int i = 0; i < count; ++i) {
    line.x.push_back(from + (to - from) * i / (count - 1));
    line.y.push_back(f(line.x.back()));
  }
  return line;
}

}  // namespace

Panel log_axes() {
  Panel panel;
  panel.x = {.label = "length, tokens", .scale = Scale::log(2)};
  panel.y = {.label = "wavelength $\\lambda_i$", .scale = Scale::log(10), .grid = true};
  for (int i = 0; i < 3; ++i) {
    Line line{.ink = series(i), .label = "$b = 10^{" + std::to_string(i + 3) + "}$"};
    for (int k = 7; k <= 17; ++k) {
      line.x.push_back(std::exp2(k));
      line.y.push_back(2 * pi * std::pow(10.0, (i + 3) * (k - 7) / 10.0));
    }
    panel.marks.push_back(std::move(line));
  }
  return panel;
}

Panel symlog_axis() {
  Panel panel;
  panel.x.label = "$t$";
  panel.y = {.label = "$t^5 - 100\\,t$", .scale = Scale::symlog(1), .grid = true};
  panel.marks = {curve(-6, 6, 400, [](double t) { return std::pow(t, 5) - 100 * t; })};
  return panel;
}

Panel angle_axes() {
  Panel panel;
  panel.x = {.label = "angle, rad", .range = Range{0, 2 * pi}, .ticks = TickHint::pi};
  panel.y.label = "$\\sin$, $\\cos$";
  SecondAxis& degrees = panel.top.emplace();
  degrees.axis.label = "degrees";
  degrees.axis.ticks = TickHint::degrees;
  degrees.map = [](double radians) { return radians; };
  panel.marks = {curve(0, 2 * pi, 200, [](double a) { return std::sin(a); }),
                 curve(0, 2 * pi, 200, [](double a) { return std::cos(a); })};
  std::get<Line>(panel.marks[1]).ink = series(1);
  return panel;
}

Panel second_axis() {
  Panel panel;
  panel.x.label = "epoch";
  panel.y.label = "loss";
  SecondAxis& rate = panel.right.emplace();
  rate.axis.label = "rate $\\eta$";
  rate.axis.scale = Scale::log();
  rate.marks = {1};
  panel.marks = {curve(0, 10, 100, [](double t) { return 1 + 3 * std::exp(-t / 2); }),
                 curve(0, 10, 100, [](double t) { return 1e-3 * std::pow(10, -t / 4); })};
  std::get<Line>(panel.marks[0]).label = "loss";
  std::get<Line>(panel.marks[1]).label = "rate";
  std::get<Line>(panel.marks[1]).ink = series(1);
  return panel;
}

Panel names_axis() {
  Panel panel;
  panel.x.names = {"f64", "f32", "f16", "bf16"};
  panel.y = {.label = "significand, bits", .grid = true};
  SecondAxis& digits = panel.right.emplace();
  digits.axis.label = "decimal digits";
  digits.map = [](double bits) { return bits * std::log10(2.0); };
  panel.marks = {Bars{.x = {0, 1, 2, 3}, .height = {53, 24, 11, 8}, .width = 0.6, .ink = series(2)}};
  return panel;
}

Panel crowded() {
  Panel panel;
  panel.x.label = "position";
  panel.y.label = "phase";
  for (int i = 0; i < 6; ++i) {
    Line line = curve(0, 10, 400, [&](double t) { return std::sin((2 + i) * t + i); });
    line.ink = series(i);
    line.label = "head " + std::to_string(i);
    panel.marks.push_back(std::move(line));
  }
  return panel;
}

}  // namespace orrery::figure::exhibit
