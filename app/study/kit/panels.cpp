#include "app/study/kit/panels.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

namespace orrery::study {

using figure::Axis;
using figure::Panel;
using figure::Range;
using figure::Role;
using figure::TickHint;
using tensor::Index;

Range cells(double count) {
  return {-0.5, count - 0.5};
}

Axis values(std::string label, std::optional<Range> range) {
  return {.label = std::move(label), .range = range, .grid = true};
}
Axis counts(std::string label, std::optional<Range> range) {
  return {.label = std::move(label), .range = range, .ticks = TickHint::integers};
}
Axis octaves(std::string label, std::optional<Range> range) {
  return {.label = std::move(label),
          .scale = figure::Scale::log(2),
          .range = range,
          .ticks = TickHint::powers_of_two};
}

figure::Rule level(double at, figure::Rule look) {
  look.direction = figure::Direction::horizontal;
  look.at = at;
  return look;
}
figure::Rule quiet_level(double at, std::string text) {
  return level(at, {.ink = ink(Role::secondary), .dash = figure::Dash::dotted, .text = std::move(text)});
}

figure::Heatmap heatmap(const tensor::Matrix<double>& matrix, figure::ColorScale colors) {
  const tensor::Matrix<float> cells_of = matrix.cast<float>();
  figure::Heatmap map = heatmap(figure::Sampler{}, matrix.rows(), matrix.cols(), std::move(colors));
  map.grid =
      std::make_shared<figure::Grid>(figure::Grid{std::exchange(map.full_rows, 0),
                                                  std::exchange(map.full_cols, 0),
                                                  {cells_of.data(), cells_of.data() + cells_of.size()}});
  return map;
}

figure::Heatmap heatmap(figure::Sampler sampler, Index rows, Index cols, figure::ColorScale colors) {
  return {.x = cells(static_cast<double>(cols)),
          .y = cells(static_cast<double>(rows)),
          .sampler = std::move(sampler),
          .full_cols = static_cast<int>(cols),
          .full_rows = static_cast<int>(rows),
          .colors = std::move(colors)};
}

Panel map_panel(std::string title, figure::Heatmap map, std::string x_label, std::string y_label) {
  Panel panel{.title = std::move(title),
              .x = counts(std::move(x_label), map.x),
              .y = counts(std::move(y_label), map.y),
              .frame = true};
  panel.y.reversed = true;
  panel.marks.emplace_back(std::move(map));
  return panel;
}

Panel square_map_panel(std::string title, figure::Heatmap map, std::string x_label, std::string y_label) {
  Panel panel = map_panel(std::move(title), std::move(map), std::move(x_label), std::move(y_label));
  panel.equal_aspect = true;
  return panel;
}

figure::Shape row_frame(double row, double columns) {
  const double right = columns - 0.5;
  return {.x = {-0.5, right, right, -0.5},
          .y = {row - 0.5, row - 0.5, row + 0.5, row + 0.5},
          .fill = {},
          .edge = ink(Role::accent),
          .width = 1.4};
}

figure::Shape disc(double x, double y, double radius) {
  constexpr int corners = 24;
  figure::Shape area;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    area.x.push_back(x + radius * std::cos(angle));
    area.y.push_back(y + radius * std::sin(angle));
  }
  return area;
}

void add_handle(Panel& panel, double x, double y, std::string parameter, std::string hint) {
  panel.marks.emplace_back(figure::Points{{x}, {y}, ink(Role::accent), 2.4});
  panel.handles.push_back({.x = x, .y = y, .parameter = std::move(parameter), .hint = std::move(hint)});
}

}  // namespace orrery::study
