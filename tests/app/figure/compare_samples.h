// Small figures to compare.
#pragma once

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "app/figure/compare.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::compare_samples {

inline constexpr float masked = -std::numeric_limits<float>::infinity();

inline Figure of(Panel panel) {
  Figure figure;
  figure.panels.push_back(std::move(panel));
  return figure;
}

inline Figure line_of(std::vector<double> x, std::vector<double> y) {
  Panel panel;
  panel.x.label = "x";
  panel.y.label = "score at 12";
  panel.marks = {Line{.x = std::move(x), .y = std::move(y)}};
  return of(std::move(panel));
}

inline Figure map_of(int rows, int cols, std::vector<float> values, ColorScale colors = {}) {
  Heatmap map{.x = {0, double(cols)}, .y = {0, double(rows)}, .colors = std::move(colors)};
  map.grid = std::make_shared<Grid>(Grid{rows, cols, std::move(values)});
  Panel panel;
  panel.marks = {std::move(map)};
  return of(std::move(panel));
}

/// Cells whose value is a function of the place.
inline Figure sampled(double side, double slope) {
  Heatmap map{.x = {0, side}, .y = {0, side}, .full_cols = int(side), .full_rows = int(side)};
  map.sampler = [slope](Range x, Range y, int cols, int rows) {
    Grid grid{rows, cols, {}};
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        grid.values.push_back(
            float(slope * (x.lo + (j + 0.5) / cols * x.length()) + (y.lo + (i + 0.5) / rows * y.length())));
    return grid;
  };
  Panel panel;
  panel.marks = {std::move(map)};
  return of(std::move(panel));
}

inline const Heatmap& first_map(const Comparison& c) {
  return std::get<Heatmap>(c.figure.panels.at(0).marks.at(0));
}
inline const Line& first_line(const Comparison& c) {
  return std::get<Line>(c.figure.panels.at(0).marks.at(0));
}

}  // namespace orrery::figure::compare_samples
