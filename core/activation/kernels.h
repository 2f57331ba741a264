// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

#include "core/activation/activation.h"

namespace orrery::activation {

/// y = f(x) for `count` floats; in a gated unit y = f(x)·gate, `gate` is null else. Streamed: see core/simd/share.h.
struct Run {
  const float *x, *gate;
  float* y;
  std::size_t count;
  bool streamed;
};
using Kernel = void(const Run&);

Kernel relu_floats, silu_floats, gelu_floats, gelu_tanh_floats;

/// That of the kind, or null: relu, silu, gelu and gelu_tanh have one.
Kernel* kernel_of(Kind);

}  // namespace orrery::activation
