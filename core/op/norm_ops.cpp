// layer_norm and rms_norm: the last axis of any array is a token's D, all other axes are rows.
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/op/adapters.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Matrix;
using tensor::View;

const Array& tokens(const Call& call) {
  return input_with_axes(call, "x", 1, "… × D");
}

template <class T>
Array layer_norm(const Call& call, auto&& twin) {
  const Array& x = tokens(call);
  const std::vector<T> weight = column_values<T>(call, "weight", x);
  const std::vector<T> bias = column_values<T>(call, "bias", x);
  const Matrix<T> input = matrix_of<T>(x);
  Matrix<T> output(input.rows(), input.cols());
  twin(View<const T>(input), std::span<const T>(weight), std::span<const T>(bias),
       norm::LayerNormParams{.eps = call.settings.real("eps")}, View<T>(output));
  return array_of(output, x.shape);
}

norm::RmsNormParams rms_norm_params(const parameter::Settings& s) {
  return {.eps = s.real("eps"),
          .eps_place = s.choice("eps_place") == "outside" ? norm::EpsPlace::outside : norm::EpsPlace::inside,
          .weight_offset = s.choice("weight_offset") == "1" ? 1.0 : 0.0};
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
  return layer_norm<double>(call, norm::layer_norm_ref);
}

Array LayerNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return layer_norm<T>(call, norm::layer_norm_cpu<T>); });
}

Array LayerNorm::gpu(const Call& call) {
  gpu::Device& device = device_of(call);
  return layer_norm<float>(call, [&](auto... args) { norm::layer_norm_gpu(device, args...); });
}

Bounds LayerNorm::bounds(const Call&) {
  return {norm::layer_norm_bound, norm::layer_norm_gpu_bound};
}

Array RmsNorm::ref(const Call& call) {
  return rms_norm<double>(call, norm::rms_norm_ref);
}

Array RmsNorm::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return rms_norm<T>(call, norm::rms_norm_cpu<T>); });
}

Array RmsNorm::gpu(const Call& call) {
  gpu::Device& device = device_of(call);
  return rms_norm<float>(call, [&](auto... args) { norm::rms_norm_gpu(device, args...); });
}

Bounds RmsNorm::bounds(const Call&) {
  return {norm::rms_norm_bound, norm::rms_norm_gpu_bound};
}

}  // namespace orrery::op
