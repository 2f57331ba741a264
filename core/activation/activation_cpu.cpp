#include <algorithm>

#include "core/activation/activation.h"
#include "core/activation/kernels.h"
#include "core/activation/variants_cpu.h"
#include "core/simd/share.h"

namespace orrery::activation {

using tensor::Index;

namespace {

/// Where the rows lie one behind the other, they are one long row.
void each_share(Kernel* kernel, tensor::View<const float> x, tensor::View<float> y) {
  const bool streamed = simd::is_streamed(y);
  if (x.stride == x.cols && y.stride == y.cols) {
    constexpr Index line = 64;  // elements: a thread's part starts on a cache line
    return simd::share((x.size() + line - 1) / line, x.size(), [&](Index first, Index end) {
      const Index from = first * line, count = std::min(end * line, x.size()) - from;
      if (count > 0)
        kernel({x.data + from, nullptr, y.data + from, static_cast<std::size_t>(count), streamed});
    });
  }
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i)
      kernel({x.row(i).data(), nullptr, y.row(i).data(), static_cast<std::size_t>(x.cols), streamed});
  });
}

}  // namespace

Kernel* kernel_of(Kind kind) {
  switch (kind) {
    case Kind::relu:
      return relu_floats;
    case Kind::gelu:
      return gelu_floats;
    case Kind::gelu_tanh:
      return gelu_tanh_floats;
    case Kind::silu:
      return silu_floats;
    default:
      return nullptr;
  }
}

template <>
void activation_cpu(tensor::View<const float> x, const ActivationParams& params, tensor::View<float> y) {
  if (Kernel* const kernel = kernel_of(params.kind)) return each_share(kernel, x, y);
  variants_cpu(x, params, y);
}

template <>
void activation_cpu(tensor::View<const double> x, const ActivationParams& params, tensor::View<double> y) {
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i)
      for (Index j = 0; j < x.cols; ++j) y(i, j) = value(params, x(i, j));
  });
}

}  // namespace orrery::activation
