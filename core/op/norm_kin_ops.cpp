// The kin of layer_norm: batch_norm, scale_norm and dyt.
#include <algorithm>
#include <cmath>

#include "core/norm/batch_norm.h"
#include "core/norm/batch_norm_vjp.h"
#include "core/norm/dyt.h"
#include "core/norm/dyt_vjp.h"
#include "core/norm/scale_norm.h"
#include "core/norm/scale_norm_vjp.h"
#include "core/op/adapters.h"
#include "core/op/norm_operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

norm::BatchNormParams batch_norm_params(const Call& call) {
  input_with_axes(call, "x", 2, "… × T × D");  // a single token is no batch
  return {.eps = call.settings.real("eps")};
}

norm::DytParams dyt_params(const Call& call) {
  return {.alpha = call.settings.real("alpha")};
}

norm::ScaleNormParams scale_norm_params(const Call& call) {
  return {.eps = call.settings.real("eps")};
}

/// g, the one gain for all columns; 1 when not given.
double gain_of(const Call& call) {
  const Array* gain = call.find("gain");
  if (gain == nullptr) return 1;
  if (gain->size() == 1) return gain->values[0];
  throw InvalidArgument("gain: found shape " + tensor::shape_text(gain->shape) +
                        "; allowed: 1, one gain for all columns");
}

template <class T>
Array scale_norm(const Call& call, auto&& twin) {
  const Array& x = tokens(call);
  const Matrix<T> input = matrix_of<T>(x);
  Matrix<T> output(input.rows(), input.cols());
  twin(View<const T>(input), static_cast<T>(gain_of(call)), scale_norm_params(call), View<T>(output));
  return array_of(output, x.shape);
}

}  // namespace

Array BatchNorm::ref(const Call& call) {
  return affine_norm<double>(call, batch_norm_params(call), norm::batch_norm_ref);
}

Array BatchNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) {
    return affine_norm<T>(call, batch_norm_params(call), norm::batch_norm_cpu<T>);
  });
}

Array BatchNorm::gpu(const Call& call) {
  return affine_norm<float>(call, batch_norm_params(call), on_device(call, norm::batch_norm_gpu));
}

Array BatchNorm::staged(const Call& call) {
  return affine_norm<double>(call, batch_norm_params(call),
                             [&](auto x, auto weight, auto bias, const auto& params, auto y) {
                               norm::batch_norm_staged(x, weight, bias, params, call.precision, y);
                             });
}

Gradients BatchNorm::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    return affine_norm_vjp<T, norm::BatchNormGradients>(call, gradient, batch_norm_params(call),
                                                        norm::batch_norm_vjp<T>);
  });
}

Bounds BatchNorm::bounds(const Call&) {
  tensor::Bound in_double = double_bound;
  in_double.abs =
      0x1p-46;  // its columns have each a scale of their own: beside 1, not beside the row's largest
  return {.cpu = norm::batch_norm_bound, .gpu = norm::batch_norm_gpu_bound, .cpu_in_double = in_double};
}

/// |w| max|x̂| + |b| of each column.
Array BatchNorm::magnitude(const Call& call) {
  Call plain;
  plain.settings = call.settings;
  plain.inputs.emplace("x", tokens(call));
  Array y = ref(plain);
  if (y.values.empty()) return y;
  const std::vector<double> weight = column_values<double>(call, "weight", y);
  const std::vector<double> bias = column_values<double>(call, "bias", y);
  for (Index j = 0; j < y.cols(); ++j) {
    auto column = y.matrix().eigen().col(j);
    double size = column.cwiseAbs().maxCoeff();
    if (!weight.empty()) size *= std::abs(weight[static_cast<std::size_t>(j)]);
    if (!bias.empty()) size += std::abs(bias[static_cast<std::size_t>(j)]);
    column.setConstant(size);
  }
  return y;
}

Array ScaleNorm::ref(const Call& call) {
  return scale_norm<double>(call, norm::scale_norm_ref);
}

Array ScaleNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return scale_norm<T>(call, norm::scale_norm_cpu<T>); });
}

Array ScaleNorm::gpu(const Call& call) {
  return scale_norm<float>(call, on_device(call, norm::scale_norm_gpu));
}

Array ScaleNorm::staged(const Call& call) {
  return scale_norm<double>(call, [&](auto x, double gain, const auto& params, auto y) {
    norm::scale_norm_staged(x, gain, params, call.precision, y);
  });
}

Gradients ScaleNorm::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const Array& x = tokens(call);
    require_gradient_shape(gradient, x.shape);
    const Matrix<T> input = matrix_of<T>(x), g = matrix_of<T>(gradient);
    Matrix<T> dx(input.rows(), input.cols()), of_gain(1, 1);
    of_gain(0, 0) =
        norm::scale_norm_vjp<T>(input, static_cast<T>(gain_of(call)), g, scale_norm_params(call), dx);
    Gradients result;
    keep(result, call, "x", dx);
    keep(result, call, "gain", of_gain);
    return result;
  });
}

Bounds ScaleNorm::bounds(const Call&) {
  return {norm::scale_norm_bound, norm::scale_norm_gpu_bound};
}

Array Dyt::ref(const Call& call) {
  return affine_norm<double>(call, dyt_params(call), norm::dyt_ref);
}

Array Dyt::cpu(const Call& call) {
  return in_compute_format(
      call, [&]<class T>(T) { return affine_norm<T>(call, dyt_params(call), norm::dyt_cpu<T>); });
}

Array Dyt::gpu(const Call& call) {
  return affine_norm<float>(call, dyt_params(call), on_device(call, norm::dyt_gpu));
}

Array Dyt::staged(const Call& call) {
  return affine_norm<double>(call, dyt_params(call),
                             [&](auto x, auto weight, auto bias, const auto& params, auto y) {
                               norm::dyt_staged(x, weight, bias, params, call.precision, y);
                             });
}

Gradients Dyt::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    return affine_norm_vjp<T, norm::DytGradients>(call, gradient, dyt_params(call), norm::dyt_vjp<T>);
  });
}

Bounds Dyt::bounds(const Call& call) {
  double largest = 1;
  if (const Array* weight = call.find("weight"))
    for (const double w : weight->values)
      if (std::isfinite(w)) largest = std::max(largest, std::abs(w));
  return {norm::dyt_bound(largest), norm::dyt_gpu_bound, true};
}

/// |w| tanh|αx| + |b|
Array Dyt::magnitude(const Call& call) {
  Call positive;
  positive.settings = call.settings;
  for (const auto& [name, input] : call.inputs) {
    Array a = input;
    for (double& v : a.values) v = std::abs(v);
    positive.inputs.emplace(name, std::move(a));
  }
  return ref(positive);
}

}  // namespace orrery::op
