// The feed-forward networks: tokens through two or three matrices.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/activation/feed_forward.h"
#include "core/activation/feed_forward_bound.h"
#include "core/activation/feed_forward_vjp.h"
#include "core/op/activation_settings.h"
#include "core/op/adapters.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

const Array& tokens_of(const Call& call) {
  return input_with_axes(call, "x", 1, "… × D");
}

/// The input, when it has this shape; `letters` are those of the contract.
const Array& input_of_shape(const Call& call, std::string_view name, const std::vector<Index>& shape,
                            std::string_view letters) {
  const Array& a = call.input(name);
  if (a.shape == shape) return a;
  throw InvalidArgument(wrong_shape(name, a).allowed("{} ({}), as x is {}", tensor::shape_text(shape),
                                                     letters, tensor::shape_text(tokens_of(call).shape)));
}

/// Whether matrices come as PyTorch's Linear keeps them, out × in.
bool turned(const Call& call) {
  return call.settings.choice("weights") == "out_in";
}

/// F: how many columns the first matrix of the network has; as it comes, rows.
Index hidden_width(const Call& call, std::string_view first) {
  const Array& w = call.input(first);
  const Index D = tokens_of(call).cols();
  const std::size_t in = turned(call) ? 1 : 0;
  if (w.shape.size() == 2 && w.shape[in] == D) return w.shape[1 - in];
  const std::string x = tensor::shape_text(tokens_of(call).shape);
  throw InvalidArgument(wrong_shape(first, w).allowed(turned(call) ? words("F × {}, as x is {}", D, x)
                                                                   : words("{} × F, as x is {}", D, x)));
}

/// The matrix as the contract has it, in × out.
template <class T>
Matrix<T> weights_of(const Call& call, std::string_view name, Index in, Index out, std::string_view letters,
                     std::string_view turned_letters) {
  if (!turned(call)) return matrix_of<T>(input_of_shape(call, name, {in, out}, letters));
  return matrix_of<T>(input_of_shape(call, name, {out, in}, turned_letters)).transpose();
}

template <class T>
std::vector<T> bias_of(const Call& call, std::string_view name, Index width, std::string_view letters) {
  if (call.find(name) == nullptr) return {};
  return input_of_shape(call, name, {width}, letters).values.to<T>();
}

/// Arrays in the scalar of a twin, and the views of them that the contract takes.
template <class T>
struct Plain {
  Matrix<T> x, w1, w2;
  std::vector<T> b1, b2;

  explicit Plain(const Call& call) {
    const Index D = tokens_of(call).cols(), F = hidden_width(call, "w1");
    x = matrix_of<T>(tokens_of(call));
    w1 = weights_of<T>(call, "w1", D, F, "D × F", "F × D");
    w2 = weights_of<T>(call, "w2", F, D, "F × D", "D × F");
    b1 = bias_of<T>(call, "b1", F, "F");
    b2 = bias_of<T>(call, "b2", D, "D");
  }
  auto read() { return std::tie(x, w1, w2); }
  activation::FeedForwardWeights<T> weights() const { return {.w1 = w1, .w2 = w2, .b1 = b1, .b2 = b2}; }
  static activation::ActivationParams params(const Call& call) { return activation_params(call.settings); }
};

template <class T>
struct Gated {
  Matrix<T> x, gate, up, down;
  std::vector<T> gate_bias, up_bias, down_bias;

  explicit Gated(const Call& call) {
    const Index D = tokens_of(call).cols(), F = hidden_width(call, "gate");
    x = matrix_of<T>(tokens_of(call));
    gate = weights_of<T>(call, "gate", D, F, "D × F", "F × D");
    up = weights_of<T>(call, "up", D, F, "D × F", "F × D");
    down = weights_of<T>(call, "down", F, D, "F × D", "D × F");
    gate_bias = bias_of<T>(call, "gate_bias", F, "F");
    up_bias = bias_of<T>(call, "up_bias", F, "F");
    down_bias = bias_of<T>(call, "down_bias", D, "D");
  }
  auto read() { return std::tie(x, gate, up, down); }
  activation::GatedFeedForwardWeights<T> weights() const {
    return {.gate = gate,
            .up = up,
            .down = down,
            .gate_bias = gate_bias,
            .up_bias = up_bias,
            .down_bias = down_bias};
  }
  static activation::Gate params(const Call& call) {
    return gate_params(call.settings, call.settings.choice("kind"));
  }
};

template <class T, template <class> class Operands>
Work feed_forward(const Call& call, auto twin) {
  const auto operands = std::make_shared<Operands<T>>(call);
  const auto out = room<T>(operands->x.rows(), operands->x.cols());
  const auto params = Operands<T>::params(call);
  const auto run = [=] { twin(View<const T>(operands->x), operands->weights(), params, View<T>(*out)); };
  return std::apply(
      [&](auto&... read) {
        return Work(out, tokens_of(call).shape, run, std::shared_ptr<Matrix<T>>(operands, &read)...);
      },
      operands->read());
}

Bounds bounds_of(const Call& call, std::string_view first, std::string_view last) {
  const Index D = tokens_of(call).cols(), F = hidden_width(call, first);
  double largest = 0;
  for (const double w : call.input(last).values)
    if (std::isfinite(w)) largest = std::max(largest, std::abs(w));
  const tensor::Bound bound = activation::feed_forward_bound(D, F, largest);
  return {bound, bound, true};
}

/// Of as many matrices of D × F, or F × D.
double flops_of(const Call& call, std::string_view first, int matrices) {
  return 2.0 * matrices * static_cast<double>(tokens_of(call).size()) *
         static_cast<double>(hidden_width(call, first));
}

/// A gradient by a matrix, as the matrix came.
Matrix<double> as_given(const Call& call, const Matrix<double>& gradient) {
  if (!turned(call)) return gradient;
  return gradient.transpose();
}

/// A gradient in double, in the shape of its input and the format of the call.
void keep(Gradients& result, const Call& call, std::string_view name, const Matrix<double>& gradient) {
  const Array* input = call.find(name);
  if (input == nullptr) return;
  Array a{call.compute, input->shape, {gradient.data(), gradient.data() + gradient.size()}};
  a.values.round_to(call.compute);
  result.emplace(name, std::move(a));
}

}  // namespace

Work FeedForward::ref(const Call& call) {
  return feed_forward<double, Plain>(call, activation::feed_forward_ref);
}

Work FeedForward::cpu(const Call& call) {
  return in_compute_format(
      call, [&]<class T>(T) { return feed_forward<T, Plain>(call, activation::feed_forward_cpu<T>); });
}

Work FeedForward::gpu(const Call& call) {
  return feed_forward<float, Plain>(call, on_device(call, activation::feed_forward_gpu));
}

Array FeedForward::magnitude(const Call& call) {
  return feed_forward<double, Plain>(call, activation::feed_forward_magnitude).done();
}

Work FeedForward::staged(const Call& call) {
  return feed_forward<double, Plain>(
      call, [precision = call.precision](auto x, const auto& weights, const auto& params, auto y) {
        activation::feed_forward_staged(x, weights, params, precision, y);
      });
}

Gradients FeedForward::vjp(const Call& call, const Array& gradient) {
  require_gradient_shape(gradient, tokens_of(call).shape);
  return in_compute_format(call, [&]<class T>(T) {
    const Plain<T> operands(call);
    const Matrix<T> g = matrix_of<T>(gradient);
    const auto d =
        activation::feed_forward_vjp<T>(operands.x, operands.weights(), g, activation_params(call.settings));
    Gradients result;
    keep(result, call, "x", d.x);
    keep(result, call, "w1", as_given(call, d.w1));
    keep(result, call, "w2", as_given(call, d.w2));
    keep(result, call, "b1", d.b1);
    keep(result, call, "b2", d.b2);
    return result;
  });
}

double FeedForward::flops(const Call& call) {
  return flops_of(call, "w1", 2);
}

Bounds FeedForward::bounds(const Call& call) {
  return bounds_of(call, "w1", "w2");
}

Work GatedFeedForward::ref(const Call& call) {
  return feed_forward<double, Gated>(call, activation::gated_feed_forward_ref);
}

Work GatedFeedForward::cpu(const Call& call) {
  return in_compute_format(
      call, [&]<class T>(T) { return feed_forward<T, Gated>(call, activation::gated_feed_forward_cpu<T>); });
}

Work GatedFeedForward::gpu(const Call& call) {
  return feed_forward<float, Gated>(call, on_device(call, activation::gated_feed_forward_gpu));
}

Array GatedFeedForward::magnitude(const Call& call) {
  return feed_forward<double, Gated>(call, activation::gated_feed_forward_magnitude).done();
}

Work GatedFeedForward::staged(const Call& call) {
  return feed_forward<double, Gated>(
      call, [precision = call.precision](auto x, const auto& weights, const auto& params, auto y) {
        activation::gated_feed_forward_staged(x, weights, params, precision, y);
      });
}

Gradients GatedFeedForward::vjp(const Call& call, const Array& gradient) {
  require_gradient_shape(gradient, tokens_of(call).shape);
  return in_compute_format(call, [&]<class T>(T) {
    const Gated<T> operands(call);
    const Matrix<T> g = matrix_of<T>(gradient);
    const auto d =
        activation::gated_feed_forward_vjp<T>(operands.x, operands.weights(), g, Gated<T>::params(call));
    Gradients result;
    keep(result, call, "x", d.x);
    keep(result, call, "gate", as_given(call, d.gate));
    keep(result, call, "up", as_given(call, d.up));
    keep(result, call, "down", as_given(call, d.down));
    keep(result, call, "gate_bias", d.gate_bias);
    keep(result, call, "up_bias", d.up_bias);
    keep(result, call, "down_bias", d.down_bias);
    return result;
  });
}

double GatedFeedForward::flops(const Call& call) {
  return flops_of(call, "gate", 3);
}

Bounds GatedFeedForward::bounds(const Call& call) {
  return bounds_of(call, "gate", "down");
}

}  // namespace orrery::op
