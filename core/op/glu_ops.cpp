// Gated linear units: two halves of the last axis become one.
#include <cmath>

#include "core/activation/glu.h"
#include "core/activation/glu_vjp.h"
#include "core/op/activation_settings.h"
#include "core/op/adapters.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using activation::Half;
using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// Papers have names for some pairs of a gate and its product; the others are called by their activation.
std::string_view activation_of(std::string_view name) {
  if (name == "glu") return "sigmoid";
  if (name == "reglu") return "relu";
  if (name == "geglu") return "gelu";
  if (name == "geglu_tanh") return "gelu_tanh";
  if (name == "swiglu") return "silu";
  return name;
}

activation::GluParams glu_params(const parameter::Settings& s) {
  return {.gate = gate_params(s, activation_of(s.choice("kind"))),
          .gated = s.choice("gated") == "second" ? Half::second : Half::first,
          .interleaved = s.choice("layout") == "interleaved",
          .fused = s.toggle("fused")};
}

const Array& halves(const Call& call) {
  const Array& x = input_with_axes(call, "x", 1, "… × 2F");
  if (x.cols() % 2 == 0) return x;
  throw InvalidArgument(about(Subject::Kind::input, "x")
                            .found(x.cols())
                            .fault("found {} on the last axis", x.cols())
                            .allowed("an even number, for its two halves"));
}

std::vector<Index> result_shape(const Array& x) {
  std::vector<Index> shape = x.shape;
  shape.back() /= 2;
  return shape;
}

template <class T>
Work glu(const Call& call, auto twin) {
  const Array& x = halves(call);
  const auto in = kept<T>(x), out = room<T>(x.rows(), x.cols() / 2);
  const activation::GluParams params = glu_params(call.settings);
  return Work(
      out, result_shape(x), [=] { twin(View<const T>(*in), params, View<T>(*out)); }, in);
}

/// The largest finite |b| of the half that is let through.
double largest_passed(const Array& x, const activation::GluParams& params) {
  const Index F = x.cols() / 2;
  const activation::Halves at(params, F);
  const Matrix<double> values = x.matrix();
  double largest = 0;
  for (Index n = 0; n < x.rows(); ++n)
    for (Index j = 0; j < F; ++j) {
      const double b = std::abs(values(n, at.b(j)));
      if (std::isfinite(b) && b > largest) largest = b;
    }
  return largest;
}

}  // namespace

Work Glu::ref(const Call& call) {
  return glu<double>(call, activation::glu_ref);
}

Work Glu::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return glu<T>(call, activation::glu_cpu<T>); });
}

Work Glu::gpu(const Call& call) {
  return glu<float>(call, on_device(call, activation::glu_gpu));
}

Work Glu::staged(const Call& call) {
  return glu<double>(call, [precision = call.precision](auto x, const auto& params, auto y) {
    activation::glu_staged(x, params, precision, y);
  });
}

Gradients Glu::vjp(const Call& call, const Array& gradient) {
  const Array& x = halves(call);
  require_gradient_shape(gradient, result_shape(x));
  return in_compute_format(call, [&]<class T>(T) {
    const Matrix<T> input = matrix_of<T>(x), g = matrix_of<T>(gradient);
    Matrix<T> dx(input.rows(), input.cols());
    activation::glu_vjp<T>(input, g, glu_params(call.settings), dx);
    return Gradients{{"x", array_of(dx, x.shape)}};
  });
}

Bounds Glu::bounds(const Call& call) {
  const activation::GluParams params = glu_params(call.settings);
  const double largest = largest_passed(halves(call), params);
  return {activation::glu_bound(params, largest), activation::glu_gpu_bound(params, largest)};
}

}  // namespace orrery::op
