// What a line says between its samples.
#pragma once

#include <cstddef>

#include "app/figure/marks.h"

namespace orrery::figure {

/// The height of a line as it is drawn on these scales, for ascending positions one after the other; NaN where it has none.
/// The line must not turn back, and must outlive the walk.
class LineWalk {
 public:
  LineWalk(const Line&, const Scale& x, const Scale& y);
  double operator()(double x);

 private:
  double between(double x) const;

  const Line& line_;
  const Scale &x_, &y_;
  std::size_t count_, i_ = 0;
};

/// The same at one place.
double value_at(const Line&, double x, const Scale& x_scale, const Scale& y_scale);

/// Positions that two computations meant to be the same.
bool same_place(double p, double q);

}  // namespace orrery::figure
