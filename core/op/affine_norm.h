// The adapters of a norm whose columns have a gain and a shift, y = w x̂ + b, written once: twin(x, weight, bias,
// params, y). A norm of that kind says in NormTwins what its own are called.
#pragma once

#include "core/op/adapters.h"
#include "core/op/norm_operands.h"

namespace orrery::op {

/// To be specialised, with params(call), ref, cpu<T>, gpu, staged, vjp<T> and Gradients<T>.
template <class Norm>
struct NormTwins;

template <class T, class Params>
Work affine_norm(const Call& call, const Params& params, auto twin) {
  const tensor::Array& x = tokens(call);
  const auto weight = column_values<T>(call, "weight", x), bias = column_values<T>(call, "bias", x);
  const auto in = kept<T>(x), out = room<T>(x.rows(), x.cols());
  return Work(
      out, x.shape,
      [=] {
        twin(tensor::View<const T>(*in), std::span<const T>(weight), std::span<const T>(bias), params,
             tensor::View<T>(*out));
      },
      in);
}

template <class Norm>
Work AffineNorm<Norm>::ref(const Call& call) {
  return affine_norm<double>(call, NormTwins<Norm>::params(call), NormTwins<Norm>::ref);
}

template <class Norm>
Work AffineNorm<Norm>::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) {
    return affine_norm<T>(call, NormTwins<Norm>::params(call), NormTwins<Norm>::template cpu<T>);
  });
}

template <class Norm>
Work AffineNorm<Norm>::gpu(const Call& call) {
  return affine_norm<float>(call, NormTwins<Norm>::params(call), on_device(call, NormTwins<Norm>::gpu));
}

template <class Norm>
Work AffineNorm<Norm>::staged(const Call& call) {
  return affine_norm<double>(
      call, NormTwins<Norm>::params(call),
      [precision = call.precision](auto x, auto weight, auto bias, const auto& params, auto y) {
        NormTwins<Norm>::staged(x, weight, bias, params, precision, y);
      });
}

/// vjp(x, weight, g, params, {dx, dw, db}) on the inputs of the call.
template <class Norm>
Gradients AffineNorm<Norm>::vjp(const Call& call, const tensor::Array& gradient) {
  return in_compute_format(call, [&]<class T>(T) {
    const tensor::Array& x = tokens(call);
    require_gradient_shape(gradient, x.shape);
    const std::vector<T> weight = column_values<T>(call, "weight", x);
    column_values<T>(call, "bias",
                     x);  // its shape is checked; its values do not matter
    const tensor::Matrix<T> input = matrix_of<T>(x), g = matrix_of<T>(gradient);
    tensor::Matrix<T> dx(input.rows(), input.cols()), dw = room_for<T>(call, "weight", x.cols()),
                                                      db = room_for<T>(call, "bias", x.cols());
    typename NormTwins<Norm>::template Gradients<T> gradients{dx, span_of(dw), span_of(db)};
    NormTwins<Norm>::template vjp<T>(input, weight, g, NormTwins<Norm>::params(call), gradients);
    Gradients result;
    keep(result, call, "x", dx);
    keep(result, call, "weight", dw);
    keep(result, call, "bias", db);
    return result;
  });
}

}  // namespace orrery::op
