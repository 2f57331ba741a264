// layer_norm and rms_norm.
#include "core/norm/layer_norm.h"
#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm.h"
#include "core/norm/rms_norm_vjp.h"
#include "core/op/affine_norm.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Matrix;
using tensor::View;

/// The choices of the parameters are the names of the enumerators, in their order.
norm::LayerNormParams layer_norm_params(const Call& call) {
  const parameter::Settings& s = call.settings;
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
Work rms_norm(const Call& call, auto twin) {
  const Array& x = tokens(call);
  const std::vector<T> weight = column_values<T>(call, "weight", x);
  const auto in = kept<T>(x), out = room<T>(x.rows(), x.cols());
  const norm::RmsNormParams params = rms_norm_params(call.settings);
  return Work(
      out, x.shape, [=] { twin(View<const T>(*in), std::span<const T>(weight), params, View<T>(*out)); }, in);
}

}  // namespace

template <>
struct NormTwins<LayerNorm>
    : AffineTwins<layer_norm_params, norm::layer_norm_ref, norm::layer_norm_cpu<float>,
                  norm::layer_norm_cpu<double>, norm::layer_norm_gpu, norm::layer_norm_staged,
                  norm::layer_norm_vjp<float>, norm::layer_norm_vjp<double>> {};
template struct AffineNorm<LayerNorm>;

Bounds LayerNorm::bounds(const Call& call) {
  const double loss = norm::layer_norm_estimator_loss(tokens(call).matrix(), layer_norm_params(call));
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

Work RmsNorm::ref(const Call& call) {
  return rms_norm<double>(call, norm::rms_norm_ref);
}

Work RmsNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return rms_norm<T>(call, norm::rms_norm_cpu<T>); });
}

Work RmsNorm::gpu(const Call& call) {
  return rms_norm<float>(call, on_device(call, norm::rms_norm_gpu));
}

Work RmsNorm::staged(const Call& call) {
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
