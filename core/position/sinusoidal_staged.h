// The sinusoidal table as a framework makes it in few bits: position, frequency, angle, sine and cosine are rounded to
// `accumulate`, the table is stored as `storage`. In float an angle p ω is off by up to p ω 2⁻²⁴; a table in bf16 is
// off by 2⁻⁹ of each entry, so that neighbouring positions fall together in all but the fastest pairs.
#pragma once

#include "core/position/sinusoidal.h"
#include "core/tensor/precision.h"

namespace orrery::position {

void sinusoidal_staged(const SinusoidalParams&, const tensor::Precision&, tensor::View<double> y);

}  // namespace orrery::position
