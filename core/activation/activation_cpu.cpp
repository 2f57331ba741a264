#include <cmath>

#include "core/activation/activation.h"
#include "core/activation/kernels.h"
#include "core/activation/normal_tail.h"
#include "core/activation/variants_cpu.h"
#include "core/simd/share.h"
#include "core/tensor/exp.h"

namespace orrery::activation {

using tensor::Index;

namespace {

/// x σ(a)
double gated(double x, double a) {
  return x / (1 + tensor::exp_for_float(-a));
}

/// Where the rows lie one behind the other, they are one long row.
void each_share(Kernel* kernel, tensor::View<const float> x, tensor::View<float> y) {
  const bool streamed = simd::is_streamed(y);
  if (x.stride == x.cols && y.stride == y.cols) {
    constexpr Index line = 64;  // elements: a thread's part starts on a cache line
    return simd::share((x.size() + line - 1) / line, x.size(), [&](Index first, Index end) {
      const Index from = first * line, count = std::min(end * line, x.size()) - from;
      if (count > 0) kernel(x.data + from, y.data + from, static_cast<std::size_t>(count), streamed);
    });
  }
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i)
      kernel(x.row(i).data(), y.row(i).data(), static_cast<std::size_t>(x.cols), streamed);
  });
}

}  // namespace

// x is held at −20 or −200 from below: results there round to −0 in float, and −∞ is not multiplied by 0.

float silu_exactly(float v) {
  const double x = v < -200 ? -200 : v;
  return static_cast<float>(gated(x, x));
}

float gelu_tanh_exactly(float v) {
  constexpr double two_slopes = 1.5957691216057307;  // 2 √(2/π)
  const double x = v < -200 ? -200 : v;
  return static_cast<float>(gated(x, two_slopes * (x + 0.044715 * x * x * x)));
}

float gelu_exactly(float v) {
  const double x = v < -20 ? -20 : v;
  const double a = std::abs(x) > 20 ? 20 : std::abs(x);
  const double tail = normal_tail(a);
  return static_cast<float>(x * (x < 0 ? tail : 1 - tail));
}

template <>
void activation_cpu(tensor::View<const float> x, const ActivationParams& params, tensor::View<float> y) {
  switch (params.kind) {
    case Kind::relu:
      return each_share(relu_floats, x, y);
    case Kind::gelu:
      return each_share(gelu_floats, x, y);
    case Kind::gelu_tanh:
      return each_share(gelu_tanh_floats, x, y);
    case Kind::silu:
      return each_share(silu_floats, x, y);
    default:
      return variants_cpu(x, params, y);
  }
}

template <>
void activation_cpu(tensor::View<const double> x, const ActivationParams& params, tensor::View<double> y) {
  simd::share(x.rows, x.size(), [&](Index first, Index end) {
    for (Index i = first; i < end; ++i)
      for (Index j = 0; j < x.cols; ++j) y(i, j) = value(params, x(i, j));
  });
}

}  // namespace orrery::activation
