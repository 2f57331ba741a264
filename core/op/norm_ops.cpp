// layer_norm and rms_norm.
#include "core/norm/layer_norm.h"
#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm.h"
#include "core/norm/rms_norm_vjp.h"
#include "core/op/adapters.h"
#include "core/op/norm_operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Matrix;
using tensor::View;

/// The choices of the parameters are the names of the enumerators, in their order.
norm::LayerNormParams layer_norm_params(const parameter::Settings& s) {
  const std::string &estimator = s.choice("estimator"), &variant = s.choice("variant");
  return {.eps = s.real("eps"),
          .estimator = estimator == "one_pass"  ? norm::Estimator::one_pass
                       : estimator == "welford" ? norm::Estimator::welford
                                                : norm::Estimator::two_pass,
          .variant =
              variant == "annotated" ? norm::LayerNormVariant::annotated : norm::LayerNormVariant::standard};
}

norm::RmsNormParams rms_norm_params(const parameter::Settings& s) {
  return {.eps = s.real("eps"),
          .eps_place = s.choice("eps_place") == "outside" ? norm::EpsPlace::outside : norm::EpsPlace::inside,
          .weight_offset = s.choice("weight_offset") == "1" ? 1.0 : 0.0,
          .partial = s.real("partial"),
          .cast = s.choice("cast") == "gemma" ? norm::CastOrder::gemma : norm::CastOrder::llama};
}

template <class T>
Array rms_norm(const Call& call, auto&& twin) {
  const Array& x = tokens(call);
  const std::vector<T> weight = column_values<T>(call, "weight", x);
  const Matrix<T> input = matrix_of<T>(x);
  Matrix<T> output(input.rows(), input.cols());
  twin(View<const T>(input), std::span<const T>(weight), rms_norm_params(call.settings), View<T>(output));
  return array_of(output, x.shape);
}

}  // namespace

Array LayerNorm::ref(const Call& call) {
  return affine_norm<double>(call, layer_norm_params(call.settings), norm::layer_norm_ref);
}

Array LayerNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) {
    return affine_norm<T>(call, layer_norm_params(call.settings), norm::layer_norm_cpu<T>);
  });
}

Array LayerNorm::gpu(const Call& call) {
  return affine_norm<float>(call, layer_norm_params(call.settings), on_device(call, norm::layer_norm_gpu));
}

Array LayerNorm::staged(const Call& call) {
  return affine_norm<double>(call, layer_norm_params(call.settings),
                             [&](auto x, auto weight, auto bias, const auto& params, auto y) {
                               norm::layer_norm_staged(x, weight, bias, params, call.precision, y);
                             });
}

Gradients LayerNorm::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    return affine_norm_vjp<T, norm::LayerNormGradients>(call, gradient, layer_norm_params(call.settings),
                                                        norm::layer_norm_vjp<T>);
  });
}

Bounds LayerNorm::bounds(const Call& call) {
  const double loss =
      norm::layer_norm_estimator_loss(tokens(call).matrix(), layer_norm_params(call.settings));
  const auto with_loss = [loss](tensor::Bound bound) {
    bound.row += loss;
    bound.nmse += loss * loss;
    return bound;
  };
  // Centring loses one rounding of the mean, which may stand at 10⁴ σ: 10⁴ u = 2⁻⁴⁰.
  tensor::Bound in_double = double_bound;
  in_double.row = 0x1p-40;
  return {.cpu = with_loss(norm::layer_norm_bound),
          .gpu = norm::layer_norm_gpu_bound,
          .cpu_in_double = with_loss(in_double)};
}

Array RmsNorm::ref(const Call& call) {
  return rms_norm<double>(call, norm::rms_norm_ref);
}

Array RmsNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return rms_norm<T>(call, norm::rms_norm_cpu<T>); });
}

Array RmsNorm::gpu(const Call& call) {
  return rms_norm<float>(call, on_device(call, norm::rms_norm_gpu));
}

Array RmsNorm::staged(const Call& call) {
  return rms_norm<double>(call, [&](auto x, auto weight, const auto& params, auto y) {
    norm::rms_norm_staged(x, weight, params, call.precision, y);
  });
}

Gradients RmsNorm::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const Array& x = tokens(call);
    require_gradient_shape(gradient, x.shape);
    const std::vector<T> weight = column_values<T>(call, "weight", x);
    const Matrix<T> input = matrix_of<T>(x), g = matrix_of<T>(gradient);
    Matrix<T> dx(input.rows(), input.cols()), dw = room_for<T>(call, "weight", x.cols());
    norm::rms_norm_vjp<T>(input, weight, g, rms_norm_params(call.settings), {dx, span_of(dw)});
    Gradients result;
    keep(result, call, "x", dx);
    keep(result, call, "weight", dw);
    return result;
  });
}

Bounds RmsNorm::bounds(const Call&) {
  return {norm::rms_norm_bound, norm::rms_norm_gpu_bound};
}

}  // namespace orrery::op
