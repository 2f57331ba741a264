#include <cmath>

#include "core/activation/activation.h"
#include "core/activation/normal_tail.h"
#include "core/activation/variants_cpu.h"
#include "core/tensor/exp.h"
#include "core/tensor/reduce.h"

namespace orrery::activation {

using tensor::Index;

namespace {

// For floats, each function in double once more, without branches and calls, so that the loops vectorise. x
// is held at −20 or −200 from below: results there round to −0 in float, and −∞ is not multiplied by 0.

float relu(float x) {
  return x < 0 ? 0 : x;
}

/// x σ(a)
double gated(double x, double a) {
  return x / (1 + tensor::exp_for_float(-a));
}

float silu(float v) {
  const double x = v < -200 ? -200 : v;
  return static_cast<float>(gated(x, x));
}

float gelu_tanh(float v) {
  constexpr double two_slopes = 1.5957691216057307;  // 2 √(2/π)
  const double x = v < -200 ? -200 : v;
  return static_cast<float>(gated(x, two_slopes * (x + 0.044715 * x * x * x)));
}

float gelu(float v) {
  const double x = v < -20 ? -20 : v;
  const double a = std::abs(x) > 20 ? 20 : std::abs(x);
  const double tail = normal_tail(a);
  return static_cast<float>(x * (x < 0 ? tail : 1 - tail));
}

template <class T, class F>
void each(tensor::View<const T> x, tensor::View<T> y, F f) {
#pragma omp parallel for schedule(static) if (x.size() > tensor::small_work / 8)
  for (Index i = 0; i < x.rows; ++i) {
    const T* from = x.row(i).data();
    T* to = y.row(i).data();
    for (Index j = 0; j < x.cols; ++j) to[j] = f(from[j]);
  }
}

}  // namespace

template <>
void activation_cpu(tensor::View<const float> x, const ActivationParams& params, tensor::View<float> y) {
  // Lambdas, so that each loop is compiled with its function inside.
  switch (params.kind) {
    case Kind::relu:
      return each(x, y, [](float v) { return relu(v); });
    case Kind::gelu:
      return each(x, y, [](float v) { return gelu(v); });
    case Kind::gelu_tanh:
      return each(x, y, [](float v) { return gelu_tanh(v); });
    case Kind::silu:
      return each(x, y, [](float v) { return silu(v); });
    default:
      return variants_cpu(x, params, y);
  }
}

template <>
void activation_cpu(tensor::View<const double> x, const ActivationParams& params, tensor::View<double> y) {
  each(x, y, [&params](double v) { return value(params, v); });
}

}  // namespace orrery::activation
