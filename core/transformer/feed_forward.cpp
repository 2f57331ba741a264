#include "core/transformer/feed_forward.h"

#include "core/activation/activation_vjp.h"
#include "core/activation/glu.h"
#include "core/activation/glu_vjp.h"
#include "core/transformer/arithmetic.h"

namespace orrery::transformer {
namespace {

/// Of N × 2F.
template <class T>
View<T> first_half(View<T> x) {
  return {x.data, x.rows, x.cols / 2, x.stride};
}
template <class T>
View<T> second_half(View<T> x) {
  return {x.data + x.cols / 2, x.rows, x.cols / 2, x.stride};
}

/// dhidden of act(hidden).
void back_through(View<const double> hidden, View<const double> g, const FeedForwardConfig& config,
                  View<double> dhidden) {
  if (config.gated)
    activation::glu_vjp<double>(hidden, g, {.gate = config.activation}, dhidden);
  else
    activation::activation_vjp<double>(hidden, g, config.activation, dhidden);
}

void back_through(View<const float> hidden, View<const float> g, const FeedForwardConfig& config,
                  View<float> dhidden) {
  if (!config.gated) return activation::activation_vjp_in_float(hidden, g, config.activation, dhidden);
  // da = g ⊙ u ⊙ f'(a), du = g ⊙ f(a)
  const View<const float> a = first_half(hidden), u = second_half(hidden);
  const View<float> da = first_half(dhidden), du = second_half(dhidden);
  multiply<float>(g, u, da);
  activation::activation_vjp_in_float(a, da, config.activation, da);
  activation::activation_cpu<float>(a, config.activation, du);
  multiply<float>(g, du, du);
}

}  // namespace

template <class T>
FeedForward<T> FeedForward<T>::make(Layout& layout, const std::string& path,
                                    const FeedForwardConfig& config) {
  FeedForward net;
  net.config = config;
  const auto linear = [&](const char* name, Index inputs, Index outputs, Role role) {
    return Linear<T>::make(layout, path + name, inputs, outputs, config.bias, role);
  };
  if (config.gated) net.gate = linear(".gate", config.width, config.hidden, Role::expand);
  net.up = linear(".up", config.width, config.hidden, Role::expand);
  net.down = linear(".down", config.hidden, config.width, Role::contract);
  return net;
}

template <class T>
void FeedForward<T>::forward(Values<T> values, View<const T> x, FeedForwardTape<T>& tape, View<T> y) const {
  const View<T> activated = room(tape.activated, x.rows, config.hidden);
  if (config.gated) {
    const View<T> hidden = room(tape.hidden, x.rows, 2 * config.hidden);
    gate.forward(values, x, first_half(hidden));
    up.forward(values, x, second_half(hidden));
    activation::glu_cpu<T>(hidden, {.gate = config.activation}, activated);
  } else {
    up.forward(values, x, room(tape.hidden, x.rows, config.hidden));
    activation::activation_cpu<T>(tape.hidden, config.activation, activated);
  }
  down.forward(values, activated, y);
}

template <class T>
void FeedForward<T>::backward(Values<T> values, View<const T> x, const FeedForwardTape<T>& tape,
                              View<const T> g, Gradient<T> gradient, FeedForwardScratch<T>& scratch,
                              View<T> dx) const {
  const View<T> dactivated = room(scratch.dactivated, x.rows, config.hidden);
  down.backward(values, tape.activated, g, gradient, dactivated);
  const View<T> dhidden = room(scratch.dhidden, x.rows, tape.hidden.cols());
  back_through(tape.hidden, dactivated, config, dhidden);
  if (!config.gated) return up.backward(values, x, dhidden, gradient, dx);
  const View<T> of_gate = room(scratch.dx, x.rows, x.cols);
  gate.backward(values, x, first_half(dhidden), gradient, of_gate);
  up.backward(values, x, second_half(dhidden), gradient, dx);
  add<T>(of_gate, dx);
}

template struct FeedForward<float>;
template struct FeedForward<double>;

}  // namespace orrery::transformer
