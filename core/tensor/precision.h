// Which formats a computation rounds to, stage by stage, as a framework on a model's device would.
#pragma once

#include "core/tensor/format.h"

namespace orrery::tensor {

/// `storage`: what arrays are kept in between ops; `accumulate`: what products, sums and functions are rounded to inside.
struct Precision {
  Format storage = Format::f32;
  Format accumulate = Format::f32;
  bool operator==(const Precision&) const = default;
};

/// Rounding to one format, as a function: acc(acc(a * b) + c) is two roundings, fused nowhere. A double holds the exact
/// product of two floats, and a double sum, quotient or root of narrower values rounded again is the value rounded once
/// (53 ≥ 2·24 + 2; Figueroa 1995), so that what results is what hardware of that format gives.
class Rounding {
 public:
  explicit Rounding(Format format) : format_(format) {}
  double operator()(double x) const { return round_to(format_, x); }

 private:
  Format format_;
};

}  // namespace orrery::tensor
