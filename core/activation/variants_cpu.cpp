#include "core/activation/variants_cpu.h"

#include "core/activation/for_float.h"
#include "core/simd/share.h"
#include "core/tensor/tanh.h"

namespace orrery::activation {

using tensor::Index;

namespace {

template <class F>
void each(tensor::View<const float> x, tensor::View<float> y, F f) {
  simd::share(x.rows, x.size() * 8, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const float* from = x.row(i).data();
      float* to = y.row(i).data();
      for (Index j = 0; j < x.cols; ++j) to[j] = static_cast<float>(f(static_cast<double>(from[j])));
    }
  });
}

}  // namespace

void variants_cpu(tensor::View<const float> x, const ActivationParams& params, tensor::View<float> y) {
  const double alpha = params.alpha, beta = params.beta;
  switch (params.kind) {
    case Kind::leaky_relu:
      return each(x, y, [alpha](double v) { return v < 0 ? alpha * v : v; });
    case Kind::elu:
      return each(x, y, [alpha](double v) { return v < 0 ? alpha * expm1_for_float(v) : v; });
    case Kind::selu:
      return each(x, y, [](double v) {
        constexpr double scale = 1.0507009873554805, limit = 1.7580993408473768;  // λ, λα
        return v < 0 ? limit * expm1_for_float(v) : scale * v;
      });
    case Kind::gelu_quick:
      return each(x, y, [](double v) { return times_sigmoid_for_float(v, 1.702); });
    case Kind::swish:
      return each(x, y, [beta](double v) { return times_sigmoid_for_float(v, beta); });
    case Kind::mish:
      return each(x, y, [](double v) { return mish_for_float(v); });
    case Kind::relu2:
      return each(x, y, [](double v) { return v < 0 ? 0 : v * v; });
    case Kind::hard_swish:
      return each(x, y, [](double v) { return v <= -3 ? 0 : (v >= 3 ? v : v * (v + 3) / 6); });
    case Kind::sigmoid:
      return each(x, y, [](double v) { return sigmoid_for_float(v); });
    case Kind::tanh:
      return each(x, y, [](double v) { return tensor::tanh_for_float(v); });
    default:  // softplus, whose logarithm is the C library's
      return each(x, y, [&params](double v) { return value(params, v); });
  }
}

}  // namespace orrery::activation
