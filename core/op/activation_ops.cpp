// Activations: element by element, on an array of any shape.
#include "core/activation/activation.h"
#include "core/op/adapters.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Matrix;
using tensor::View;

/// The choices of the parameter are the names of the kinds, in their order.
activation::Kind kind_of(const Call& call) {
  const std::string& name = call.settings.choice("kind");
  if (name == "relu") return activation::Kind::relu;
  if (name == "gelu") return activation::Kind::gelu;
  if (name == "gelu_tanh") return activation::Kind::gelu_tanh;
  return activation::Kind::silu;
}

template <class T>
Array apply(const Call& call, auto&& twin) {
  const Array& x = call.input("x");
  const Matrix<T> input = matrix_of<T>(x);
  Matrix<T> output(input.rows(), input.cols());
  twin(View<const T>(input), kind_of(call), View<T>(output));
  return array_of(output, x.shape);
}

}  // namespace

Array Activation::ref(const Call& call) {
  return apply<double>(call, activation::activation_ref);
}

Array Activation::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return apply<T>(call, activation::activation_cpu<T>); });
}

Array Activation::gpu(const Call& call) {
  gpu::Device& device = device_of(call);
  return apply<float>(call, [&](auto... args) { activation::activation_gpu(device, args...); });
}

Bounds Activation::bounds(const Call& call) {
  return {activation::activation_bound(kind_of(call)), activation::activation_gpu_bound(kind_of(call))};
}

}  // namespace orrery::op
