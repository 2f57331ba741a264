#include "app/figure/line_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::figure {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

}  // namespace

bool same_place(double p, double q) {
  return p == q || std::abs(p - q) <= 1e-12 * std::max(std::abs(p), std::abs(q)) ||
         (std::isnan(p) && std::isnan(q));
}

LineWalk::LineWalk(const Line& line, const Scale& x, const Scale& y)
    : line_(line), x_(x), y_(y), count_(std::min(line.x.size(), line.y.size())) {}

double LineWalk::operator()(double x) {
  while (i_ + 1 < count_ && !(line_.x[i_ + 1] >= x)) ++i_;
  if (i_ < count_ && same_place(line_.x[i_], x)) return line_.y[i_];
  if (i_ + 1 >= count_) return no_value;
  if (same_place(line_.x[i_ + 1], x)) return line_.y[i_ + 1];
  return between(x);
}

double LineWalk::between(double x) const {
  const double x0 = line_.x[i_], x1 = line_.x[i_ + 1], y0 = line_.y[i_], y1 = line_.y[i_ + 1];
  if (!(x0 <= x && x <= x1)) return no_value;
  switch (line_.course) {
    case Course::step_after:
      return y0;
    case Course::step_before:
      return y1;
    case Course::step_middle:
      return x_.unit(x, {x0, x1}) < 0.5 ? y0 : y1;
    case Course::straight:
      break;
  }
  return y0 == y1 ? y0 : y_.invert(x_.unit(x, {x0, x1}), {y0, y1});
}

double value_at(const Line& line, double x, const Scale& x_scale, const Scale& y_scale) {
  return LineWalk(line, x_scale, y_scale)(x);
}

}  // namespace orrery::figure
