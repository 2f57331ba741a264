// fire: the network's weights are inputs, its two numbers settings.
#include "core/op/adapters.h"
#include "core/op/bias_operands.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"
#include "core/position/fire.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

const Array& of_shape(const Call& call, std::string_view name, const std::vector<Index>& shape) {
  const Array& a = call.input(name);
  if (a.shape == shape) return a;
  throw InvalidArgument(
      wrong_shape(name, a).allowed("{}, as w_in and w_out have it", tensor::shape_text(shape)));
}

position::FireWeights fire_weights(const Call& call) {
  const Array& w_in = call.input("w_in");
  const Array& w_out = input_with_axes(call, "w_out", 2, "H × M");
  const Index width = w_in.size(), heads = w_out.shape[0];
  // PyTorch's Linear(1, M) keeps its weight as M × 1; its values are the same.
  if (w_in.shape != std::vector<Index>{width} && w_in.shape != std::vector<Index>{width, 1}) {
    throw InvalidArgument(wrong_shape("w_in", w_in).allowed("M, or M × 1"));
  }
  position::FireWeights w{.w_in = w_in.values.to<double>(),
                          .b_in = of_shape(call, "b_in", {width}).values.to<double>(),
                          .w_out = matrix_of<double>(of_shape(call, "w_out", {heads, width})),
                          .b_out = of_shape(call, "b_out", {heads}).values.to<double>()};
  if (call.find("w_mid") != nullptr || call.find("b_mid") != nullptr) {
    w.w_mid = matrix_of<double>(of_shape(call, "w_mid", {width, width}));
    w.b_mid = of_shape(call, "b_mid", {width}).values.to<double>();
  }
  return w;
}

position::FireParams fire_params(const parameter::Settings& s) {
  return {.c = s.real("c"), .threshold = s.real("threshold"), .direction = direction_of(s)};
}

template <class T>
Work fire(const Call& call, auto twin) {
  const position::FireWeights w = fire_weights(call);
  const position::FireParams params = fire_params(call.settings);
  const Index length = bias_length(call, w.heads());
  const auto y = room<T>(w.heads() * length, length);
  return Work(y, {w.heads(), length, length}, [=] { twin(w, params, View<T>(*y)); });
}

}  // namespace

Work Fire::ref(const Call& call) {
  return fire<double>(call, position::fire_ref);
}

Work Fire::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return fire<T>(call, position::fire_cpu<T>); });
}

Work Fire::gpu(const Call& call) {
  return fire<float>(call, on_device(call, position::fire_gpu));
}

Work Fire::staged(const Call& call) {
  return fire<double>(call, [precision = call.precision](const auto& w, const auto& params, auto y) {
    position::fire_staged(w, params, precision, y);
  });
}

Array Fire::magnitude(const Call& call) {
  return fire<double>(call, position::fire_magnitude).done();
}

Gradients Fire::vjp(const Call& call, const Array& gradient) {
  const position::FireWeights w = fire_weights(call);
  const Index length = bias_length(call, w.heads());
  require_gradient_shape(gradient, {w.heads(), length, length});
  const Matrix<double> g = matrix_of<double>(gradient);
  const position::FireWeights d = position::fire_vjp(w, fire_params(call.settings), g);
  const auto values = [](const Matrix<double>& m) {
    return std::vector<double>(m.data(), m.data() + m.size());
  };
  Gradients result;
  const auto keep = [&](const char* name, std::vector<double> derivative) {
    if (const Array* input = call.find(name)) {
      Array a{call.compute, input->shape, std::move(derivative)};
      a.values.round_to(call.compute);
      result.emplace(name, std::move(a));
    }
  };
  keep("w_in", d.w_in);
  keep("b_in", d.b_in);
  keep("w_mid", values(d.w_mid));
  keep("b_mid", d.b_mid);
  keep("w_out", values(d.w_out));
  keep("b_out", d.b_out);
  return result;
}

double Fire::flops(const Call& call) {
  const position::FireWeights w = fire_weights(call);
  const auto units = static_cast<double>(w.w_in.size()), heads = static_cast<double>(w.heads()),
             length = static_cast<double>(call.settings.integer("length"));
  const double middle = w.w_mid.size() > 0 ? units : 0;
  return 2 * length * length * units * (1 + middle + heads);
}

Bounds Fire::bounds(const Call& call) {
  return {position::relative_bias_bound, position::fire_gpu_bound(fire_weights(call))};
}

}  // namespace orrery::op
