// The figures that the tests of the layout share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "app/figure/figure.h"
#include "tests/app/figure/support.h"

namespace orrery::figure {

inline const CountedText metrics;

inline Line curve(int n, double (*f)(double), double from = 0, double to = 10) {
  Line line;
  for (int i = 0; i < n; ++i) {
    const double x = from + (to - from) * i / (n - 1);
    line.x.push_back(x);
    line.y.push_back(f(x));
  }
  return line;
}

inline Figure one(Panel panel) {
  Figure f;
  f.panels = {std::move(panel)};
  return f;
}

inline Figure lines() {
  Panel p;
  p.x.label = "position";
  p.y.label = "score";
  p.y.grid = true;
  for (int i = 0; i < 3; ++i) {
    Line l = curve(
        500, i == 0 ? +[](double x) { return std::sin(x); } : +[](double x) { return std::cos(x) / 2; });
    l.ink = series(i);
    l.label = "curve " + std::to_string(i);
    p.marks.push_back(l);
  }
  return one(p);
}

inline Heatmap heatmap(int rows, int cols) {
  auto grid = std::make_shared<Grid>();
  grid->rows = rows;
  grid->cols = cols;
  for (int i = 0; i < rows * cols; ++i) grid->values.push_back(float(i));
  Heatmap h;
  h.x = {-0.5, cols - 0.5};
  h.y = {-0.5, rows - 0.5};
  h.grid = grid;
  return h;
}

inline std::string panel_name(int i) {
  return "Panel" + std::to_string(i);  // one word: it is not broken into lines
}

/// Panels in a row, of ascending rank.
inline Figure row_of(int count) {
  Figure f;
  f.col_weights.assign(static_cast<std::size_t>(count), 1);
  for (int i = 0; i < count; ++i) {
    Panel p = lines().panels[0];
    p.title = panel_name(i);
    p.x.label = "distance " + std::to_string(i);
    p.y.label = "score " + std::to_string(i);
    p.legend = LegendPlace::none;
    p.cell = {0, i};
    p.rank = i;
    f.panels.push_back(std::move(p));
  }
  return f;
}

inline int shown(const Scene& scene) {
  return static_cast<int>(
      std::ranges::count_if(scene.panels, [](const PanelFrame& frame) { return frame.plot.w > 0; }));
}

}  // namespace orrery::figure
