// Values over a plane. The first three show one field: their axes and their colours are shared.
#include <cmath>
#include <limits>

#include "app/figure/gallery.h"

namespace orrery::figure::exhibit {

namespace {

constexpr int first_group = 1;
constexpr Range square{-2, 2};

double hills(double x, double y) {
  return 2.33 * x * std::exp(-x * x - y * y);
}

std::shared_ptr<const Grid> sampled(int side) {
  auto grid = std::make_shared<Grid>(Grid{side, side, {}});
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      grid->values.push_back(float(hills(square.lo + (j + 0.5) / side * square.length(),
                                         square.lo + (i + 0.5) / side * square.length())));
  return grid;
}

/// Its ranges and colours are those of the other two.
Panel shared_panel() {
  Panel panel;
  panel.x = {.label = "$x$", .range = square, .group = first_group};
  panel.y = {.label = "$y$", .range = square, .group = first_group};
  panel.equal_aspect = true;
  panel.frame = true;
  return panel;
}

ColorScale shared_colors() {
  return {.map = ColorMap::diverging, .label = "$x\\,e^{-x^2-y^2}$", .group = first_group};
}

}  // namespace

Panel heatmap() {
  Panel panel = shared_panel();
  panel.marks = {Heatmap{.x = square, .y = square, .grid = sampled(24), .colors = shared_colors()}};
  return panel;
}

Panel contours() {
  Panel panel = shared_panel();
  panel.marks = {Contours{.x = square, .y = square, .grid = sampled(60), .colors = shared_colors()}};
  return panel;
}

Panel areas() {
  Panel panel = shared_panel();
  panel.marks = {Contours{.x = square,
                          .y = square,
                          .grid = sampled(60),
                          .filled = true,
                          .colors = shared_colors(),
                          .width = 0.4,
                          .numbers = false}};
  return panel;
}

// A million by a million tokens: asked for where and as finely as it is seen.
Panel sampler() {
  constexpr int tokens = 1 << 20;
  Panel panel;
  panel.x = {.label = "key $n$", .ticks = TickHint::powers_of_two};
  panel.y = {.label = "query $m$", .ticks = TickHint::powers_of_two, .reversed = true};
  panel.frame = true;
  Heatmap map;
  map.x = map.y = {0, tokens};
  map.full_cols = map.full_rows = tokens;
  map.sampler = [](Range x, Range y, int cols, int rows) {
    Grid grid{rows, cols, {}};
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) {
        const double m = y.lo + (i + 0.5) / rows * y.length(), n = x.lo + (j + 0.5) / cols * x.length();
        grid.values.push_back(n > m ? -std::numeric_limits<float>::infinity()
                                    : float(std::cos((m - n) / 65536) * std::exp((n - m) / 400000)));
      }
    return grid;
  };
  map.colors = {.range = Range{-1, 1}, .label = "score"};
  panel.marks = {std::move(map)};
  return panel;
}

}  // namespace orrery::figure::exhibit
