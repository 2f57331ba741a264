#include "app/figure/scale.h"

#include <cmath>

#include "core/tensor/error.h"

namespace orrery::figure {

namespace {

constexpr double widest_log_ratio =
    1e6;  // shown below the top when a log axis is asked to begin at or below zero

// log(1 + a/w) and its inverse. From 40 on the 1 is far below the last bit, and left out, so that nothing
// overflows.
double log_from_zero(double a, double w) {
  const double u = std::log(a) - std::log(w);
  return u > 40 ? u : std::log1p(a / w);
}
double exp_from_zero(double u, double w) {
  return u > 40 ? std::exp(u + std::log(w)) : std::expm1(u) * w;
}

}  // namespace

Scale Scale::log(double base) {
  if (!(base > 1) || !std::isfinite(base))

    throw InvalidArgument(about(words("log scale")).fault("the base must be greater than 1"));
  Scale s;
  s.kind_ = Kind::log;
  s.base_ = base;
  return s;
}

Scale Scale::symlog(double linear_width) {
  if (!(linear_width > 0) || !std::isfinite(linear_width))

    throw InvalidArgument(about(words("symlog scale")).fault("the linear width must be greater than 0"));
  Scale s;
  s.kind_ = Kind::symlog;
  s.linear_width_ = linear_width;
  return s;
}

double Scale::forward(double v) const {
  switch (kind_) {
    case Kind::linear:
      return v;
    case Kind::log:
      return v > 0 ? std::log(v) : std::nan("");
    case Kind::symlog:
      return std::copysign(log_from_zero(std::abs(v), linear_width_), v);
  }
  return v;
}

double Scale::backward(double u) const {
  switch (kind_) {
    case Kind::linear:
      return u;
    case Kind::log:
      return std::exp(u);
    case Kind::symlog:
      return std::copysign(exp_from_zero(std::abs(u), linear_width_), u);
  }
  return u;
}

double Scale::unit(double value, Range range) const {
  const double lo = forward(range.lo);
  return (forward(value) - lo) / (forward(range.hi) - lo);
}

double Scale::invert(double unit, Range range) const {
  if (unit == 0) return range.lo;
  if (unit == 1) return range.hi;
  return backward(std::lerp(forward(range.lo), forward(range.hi), unit));
}

Range Scale::clamp(Range range) const {
  if (kind_ != Kind::log || range.lo > 0) return range;
  if (range.hi <= 0) return {1, base_};
  return {range.hi / widest_log_ratio, range.hi};
}

}  // namespace orrery::figure
