// Activations: element by element, on an array of any shape.
#include "core/activation/activation_vjp.h"
#include "core/op/activation_settings.h"
#include "core/op/adapters.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Matrix;
using tensor::View;

template <class T>
Work apply(const Call& call, auto twin) {
  const Array& x = call.input("x");
  const auto in = kept<T>(x), out = room<T>(x.rows(), x.cols());
  const activation::ActivationParams params = activation_params(call.settings);
  return Work(
      out, x.shape, [=] { twin(View<const T>(*in), params, View<T>(*out)); }, in);
}

}  // namespace

namespace {

activation::ActivationParams with_constants(activation::Kind kind, const parameter::Settings& s) {
  activation::ActivationParams params = kind;
  if (s.real("alpha") != 0) params.alpha = s.real("alpha");
  params.beta = s.real("beta");
  return params;
}

}  // namespace

activation::ActivationParams activation_params(const parameter::Settings& s) {
  return with_constants(activation::kind_from_name(s.choice("kind")), s);
}

activation::Gate gate_params(const parameter::Settings& s, std::string_view kind) {
  activation::Gate gate = activation::Kind::sigmoid;
  if (kind == "bilinear")
    gate.linear = true;
  else
    gate.activation = with_constants(activation::kind_from_name(kind), s);
  if (s.real("limit") != 0) gate.limit = s.real("limit");
  gate.offset = s.real("up_offset");
  return gate;
}

Work Activation::ref(const Call& call) {
  return apply<double>(call, activation::activation_ref);
}

Work Activation::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return apply<T>(call, activation::activation_cpu<T>); });
}

Work Activation::gpu(const Call& call) {
  return apply<float>(call, on_device(call, activation::activation_gpu));
}

Work Activation::staged(const Call& call) {
  return apply<double>(call, [precision = call.precision](auto x, const auto& params, auto y) {
    activation::activation_staged(x, params, precision, y);
  });
}

Gradients Activation::vjp(const Call& call, const Array& gradient) {
  require_gradient_shape(gradient, call.input("x").shape);
  Gradients gradients;
  gradients.emplace("x", in_compute_format(call, [&]<class T>(T) {
                      const Matrix<T> g = matrix_of<T>(gradient);
                      return apply<T>(call,
                                      [&](View<const T> x, const auto& params, View<T> dx) {
                                        activation::activation_vjp<T>(x, View<const T>(g), params, dx);
                                      })
                          .done();
                    }));
  return gradients;
}

Bounds Activation::bounds(const Call& call) {
  const activation::ActivationParams params = activation_params(call.settings);
  return {activation::activation_bound(params.kind),
          activation::activation_gpu_bound(params.kind, params.beta)};
}

}  // namespace orrery::op
