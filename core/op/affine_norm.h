// The adapters of a norm whose columns have a gain and a shift, y = w x̂ + b, written once: twin(x, weight, bias,
// params, y). A norm of that kind says in NormTwins what its own are called.
#pragma once

#include <type_traits>

#include "core/op/adapters.h"
#include "core/op/norm_operands.h"

namespace orrery::op {

/// To be specialised as AffineTwins.
template <class Norm>
struct NormTwins;

/// The one of two that computes in T.
template <class T, auto in_float, auto in_double>
constexpr auto computing_in() {
  if constexpr (std::is_same_v<T, float>)
    return in_float;
  else
    return in_double;
}

/// How the parameters of a call are read, and the twins in core/norm, those of two scalars in float and in double.
template <auto read, auto ref_twin, auto cpu_float, auto cpu_double, auto gpu_twin, auto staged_twin,
          auto vjp_float, auto vjp_double>
struct AffineTwins {
  static constexpr auto params = read;
  static constexpr auto ref = ref_twin;
  static constexpr auto gpu = gpu_twin;
  static constexpr auto staged = staged_twin;
  template <class T>
  static constexpr auto cpu = computing_in<T, cpu_float, cpu_double>();
  template <class T>
  static constexpr auto vjp = computing_in<T, vjp_float, vjp_double>();
};

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
    NormTwins<Norm>::template vjp<T>(input, weight, g, NormTwins<Norm>::params(call),
                                     {dx, span_of(dw), span_of(db)});
    Gradients result;
    keep(result, call, "x", dx);
    keep(result, call, "weight", dw);
    keep(result, call, "bias", db);
    return result;
  });
}

}  // namespace orrery::op
