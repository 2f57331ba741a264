// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::activation {

/// y = f(x) for `count` floats; one value in double where the result may be subnormal. Streamed: see core/simd/share.h.
using Kernel = void(const float* x, float* y, std::size_t count, bool streamed);

Kernel relu_floats, silu_floats, gelu_floats, gelu_tanh_floats;

/// The same functions of one value, computed in double: far out on the left, where floats run out of exponents.
float silu_exactly(float), gelu_exactly(float), gelu_tanh_exactly(float);

}  // namespace orrery::activation
