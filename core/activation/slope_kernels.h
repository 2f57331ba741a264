// The inner loops of derivatives in float, compiled for every kind of processor.
#pragma once

#include <cstddef>

#include "core/activation/activation.h"

namespace orrery::activation {

/// dx = g f'(x) for `count` floats.
struct SlopeRun {
  const float *x, *g;
  float* dx;
  std::size_t count;
};
using SlopeKernel = void(const SlopeRun&);

SlopeKernel relu_slopes, silu_slopes, gelu_slopes, gelu_tanh_slopes;

}  // namespace orrery::activation
