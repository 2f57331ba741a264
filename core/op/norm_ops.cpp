// layer_norm and rms_norm: the last axis of any array is a token's D, all other axes are rows.
#include "core/norm/layer_norm.h"
#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm.h"
#include "core/norm/rms_norm_vjp.h"
#include "core/op/adapters.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Matrix;
using tensor::View;

const Array& tokens(const Call& call) {
  return input_with_axes(call, "x", 1, "… × D");
}

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

template <class T>
Array layer_norm(const Call& call, auto&& twin) {
  const Array& x = tokens(call);
  const std::vector<T> weight = column_values<T>(call, "weight", x);
  const std::vector<T> bias = column_values<T>(call, "bias", x);
  const Matrix<T> input = matrix_of<T>(x);
  Matrix<T> output(input.rows(), input.cols());
  twin(View<const T>(input), std::span<const T>(weight), std::span<const T>(bias),
       layer_norm_params(call.settings), View<T>(output));
  return array_of(output, x.shape);
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

/// A gradient by a vector that goes with the columns: one value a column when that input is given, else none.
template <class T>
Matrix<T> room_for(const Call& call, std::string_view name, tensor::Index cols) {
  return Matrix<T>(1, call.find(name) == nullptr ? 0 : cols);
}

template <class T>
std::span<T> span_of(Matrix<T>& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}

template <class T>
void keep(Gradients& result, const Call& call, std::string_view name, const Matrix<T>& gradient) {
  if (const Array* input = call.find(name)) result.emplace(name, array_of(gradient, input->shape));
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

Array LayerNorm::staged(const Call& call) {
  return layer_norm<double>(call, [&](auto x, auto weight, auto bias, const auto& params, auto y) {
    norm::layer_norm_staged(x, weight, bias, params, call.precision, y);
  });
}

Gradients LayerNorm::vjp(const Call& call, const Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const Array& x = tokens(call);
    require_gradient_shape(gradient, x.shape);
    const std::vector<T> weight = column_values<T>(call, "weight", x);
    column_values<T>(call, "bias", x);  // its shape is checked; its values do not matter
    const Matrix<T> input = matrix_of<T>(x), g = matrix_of<T>(gradient);
    Matrix<T> dx(input.rows(), input.cols()), dw = room_for<T>(call, "weight", x.cols()),
                                              db = room_for<T>(call, "bias", x.cols());
    norm::layer_norm_vjp<T>(input, weight, g, layer_norm_params(call.settings),
                            {dx, span_of(dw), span_of(db)});
    Gradients result;
    keep(result, call, "x", dx);
    keep(result, call, "weight", dw);
    keep(result, call, "bias", db);
    return result;
  });
}

Bounds LayerNorm::bounds(const Call& call) {
  const double loss =
      norm::layer_norm_estimator_loss(tokens(call).matrix(), layer_norm_params(call.settings));
  tensor::Bound cpu = norm::layer_norm_bound;
  cpu.row += loss;
  cpu.nmse += loss * loss;
  return {cpu, norm::layer_norm_gpu_bound};
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
