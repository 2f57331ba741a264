// What biases that depend on the distance of key and query alone have in common.
//
//   y[h L + m, n] = v[h, n − m + L − 1]           v holds one value for each distance n − m = −(L − 1) … L − 1
//
// Shapes     v: H × (2L − 1); y: (H L) × L: head h's matrix begins at row h L, query m is a row of it.
// Formats    v is worked out in double, H·L values instead of H·L², and rounded once to T; here is no arithmetic.
// Edges      L = 0 or H = 0: nothing is written. Shapes that do not fit: InvalidArgument.
#pragma once

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::position {

/// Which keys a bias is for. Causal: a key after its query gets −∞, so that the softmax leaves it out.
enum class Direction { causal, bidirectional };

inline constexpr tensor::Bound relative_bias_bound = tensor::rounded_once;

/// How many columns v has for a length.
constexpr tensor::Index distances(tensor::Index length) {
  return length == 0 ? 0 : 2 * length - 1;
}

/// Throws InvalidArgument unless v has a value for every distance in y.
void check_relative_bias_shapes(tensor::Index heads, tensor::Index values, tensor::Index rows,
                                tensor::Index cols);

/// T is float or double.
template <class T>
void relative_bias_cpu(tensor::View<const T> v, tensor::View<T> y);

void relative_bias_gpu(gpu::Device&, tensor::View<const float> v, tensor::View<float> y);

}  // namespace orrery::position
