// The figures that the tests of the layout share.
#pragma once

#include <cmath>
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

}  // namespace orrery::figure
