// What the adapters of the norms share: the last axis of any array is a token's D, all other axes are rows.
#pragma once

#include <span>
#include <string_view>

#include "core/op/gradient.h"
#include "core/op/operands.h"

namespace orrery::op {

inline const tensor::Array& tokens(const Call& call) {
  return input_with_axes(call, "x", 1, "… × D");
}

/// Room for the gradient by a vector that goes with the columns: one value each when that input is given.
template <class T>
tensor::Matrix<T> room_for(const Call& call, std::string_view name, tensor::Index cols) {
  return tensor::Matrix<T>(1, call.find(name) == nullptr ? 0 : cols);
}

template <class T>
std::span<T> span_of(tensor::Matrix<T>& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}

/// Puts the gradient by an input among the results when that input is given.
template <class T>
void keep(Gradients& result, const Call& call, std::string_view name, const tensor::Matrix<T>& gradient) {
  if (const tensor::Array* input = call.find(name)) result.emplace(name, array_of(gradient, input->shape));
}

/// twin(x, weight, bias, params, y) on the inputs of the call.
template <class T, class Params>
tensor::Array affine_norm(const Call& call, const Params& params, auto&& twin) {
  const tensor::Array& x = tokens(call);
  const std::vector<T> weight = column_values<T>(call, "weight", x);
  const std::vector<T> bias = column_values<T>(call, "bias", x);
  const tensor::Matrix<T> input = matrix_of<T>(x);
  tensor::Matrix<T> output(input.rows(), input.cols());
  twin(tensor::View<const T>(input), std::span<const T>(weight), std::span<const T>(bias), params,
       tensor::View<T>(output));
  return array_of(output, x.shape);
}

/// vjp(x, weight, g, params, {dx, dw, db}) on the inputs of the call.
template <class T, template <class> class Result, class Params>
Gradients affine_norm_vjp(const Call& call, const tensor::Array& gradient, const Params& params, auto&& vjp) {
  const tensor::Array& x = tokens(call);
  require_gradient_shape(gradient, x.shape);
  const std::vector<T> weight = column_values<T>(call, "weight", x);
  column_values<T>(call, "bias", x);  // its shape is checked; its values do not matter
  const tensor::Matrix<T> input = matrix_of<T>(x), g = matrix_of<T>(gradient);
  tensor::Matrix<T> dx(input.rows(), input.cols()), dw = room_for<T>(call, "weight", x.cols()),
                                                    db = room_for<T>(call, "bias", x.cols());
  vjp(tensor::View<const T>(input), std::span<const T>(weight), tensor::View<const T>(g), params,
      Result<T>{dx, span_of(dw), span_of(db)});
  Gradients result;
  keep(result, call, "x", dx);
  keep(result, call, "weight", dw);
  keep(result, call, "bias", db);
  return result;
}

}  // namespace orrery::op
