// layer_norm and rms_norm.
#include <cmath>

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

norm::RmsNormParams rms_norm_params(const Call& call) {
  const parameter::Settings& s = call.settings;
  return {.eps = s.real("eps"),
          .eps_place = s.choice("eps_place") == "outside" ? norm::EpsPlace::outside : norm::EpsPlace::inside,
          .weight_offset = s.choice("weight_offset") == "1" ? 1.0 : 0.0,
          .partial = s.real("partial"),
          .cast = s.choice("cast") == "gemma" ? norm::CastOrder::gemma : norm::CastOrder::llama};
}

template <class T>
using RmsTwin = void (*)(View<const T>, std::span<const T>, std::span<const T>, const norm::RmsNormParams&,
                         View<T>);

/// Those of its twins that take a bias.
constexpr RmsTwin<double> rms_norm_ref = norm::rms_norm_ref, rms_norm_in_double = norm::rms_norm_cpu<double>;
constexpr RmsTwin<float> rms_norm_in_float = norm::rms_norm_cpu<float>;
constexpr void (*rms_norm_gpu)(gpu::Device&, View<const float>, std::span<const float>,
                               std::span<const float>, const norm::RmsNormParams&,
                               View<float>) = norm::rms_norm_gpu;
constexpr void (*rms_norm_staged)(View<const double>, std::span<const double>, std::span<const double>,
                                  const norm::RmsNormParams&, const tensor::Precision&,
                                  View<double>) = norm::rms_norm_staged;

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

template <>
struct NormTwins<RmsNorm>
    : AffineTwins<rms_norm_params, rms_norm_ref, rms_norm_in_float, rms_norm_in_double, rms_norm_gpu,
                  rms_norm_staged, norm::rms_norm_vjp<float>, norm::rms_norm_vjp<double>> {};
template struct AffineNorm<RmsNorm>;

Bounds RmsNorm::bounds(const Call& call) {
  if (call.find("bias") == nullptr) return {norm::rms_norm_bound, norm::rms_norm_gpu_bound};
  return {norm::rms_norm_with_bias(norm::rms_norm_bound), norm::rms_norm_with_bias(norm::rms_norm_gpu_bound),
          true};
}

/// |(o + w) x̂| + |b|
Array RmsNorm::magnitude(const Call& call) {
  Call plain = call;
  plain.inputs.erase("bias");
  Array sizes = ref(plain).done();
  const std::vector<double> bias = column_values<double>(call, "bias", sizes);
  const std::size_t cols = bias.size();
  std::size_t i = 0;
  for (double& size : sizes.values.doubles()) {
    size = std::abs(size);
    if (cols > 0) size += std::abs(bias[i++ % cols]);
  }
  return sizes;
}

}  // namespace orrery::op
