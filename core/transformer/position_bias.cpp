#include "core/transformer/position_bias.h"

#include <algorithm>

#include "core/position/alibi.h"
#include "core/transformer/arithmetic.h"

namespace orrery::transformer {
namespace {

template <class T>
std::vector<double> doubles(Slot slot, Values<T> values) {
  const auto numbers = slot.numbers(values);
  return {numbers.begin(), numbers.end()};
}

template <class T>
Matrix<double> double_matrix(Slot slot, Values<T> values) {
  return slot.matrix(values).eigen().template cast<double>();
}

/// Row by row.
template <class T>
void add_doubles(const double* from, Slot slot, Gradient<T> gradient) {
  for (T& to : slot.numbers(gradient)) to += static_cast<T>(*from++);
}

}  // namespace

template <class T>
PositionBias<T> PositionBias<T>::make(Layout& layout, const std::string& path, Index heads,
                                      const BiasConfig& config) {
  PositionBias bias;
  bias.config = config;
  bias.heads = heads;
  if (config.kind == BiasKind::t5)
    bias.table = layout.matrix(path + ".weight", config.t5.num_buckets, heads, Role::embedding);
  if (config.kind == BiasKind::fire) {
    const Index M = config.fire_width;
    bias.w_in = layout.matrix(path + ".in.weight", M, 1, Role::distance);
    bias.b_in = layout.vector(path + ".in.bias", M, Role::bias);
    if (config.fire_deep) {
      bias.w_mid = layout.matrix(path + ".mid.weight", M, M, Role::distance);
      bias.b_mid = layout.vector(path + ".mid.bias", M, Role::bias);
    }
    bias.w_out = layout.matrix(path + ".out.weight", heads, M, Role::distance);
    bias.b_out = layout.vector(path + ".out.bias", heads, Role::bias);
  }
  return bias;
}

template <class T>
position::FireWeights PositionBias<T>::network(Values<T> values) const {
  position::FireWeights w;
  w.w_in = doubles(w_in, values);
  w.b_in = doubles(b_in, values);
  if (config.fire_deep) w.w_mid = double_matrix(w_mid, values);
  w.b_mid = doubles(b_mid, values);
  w.w_out = double_matrix(w_out, values);
  w.b_out = doubles(b_out, values);
  return w;
}

template <class T>
void PositionBias<T>::forward(Values<T> values, Index length, Matrix<T>& bias) const {
  const View<T> y = room(bias, heads * length, length);
  switch (config.kind) {
    case BiasKind::alibi: {
      const Matrix<T> by_distance =
          position::alibi_values(heads, length, position::Direction::bidirectional).template cast<T>();
      return position::relative_bias_cpu<T>(by_distance, y);
    }
    case BiasKind::t5:
      return position::relative_bias_cpu<T>(
          position::t5_bias_values<T>(table.matrix(values), config.t5, length), y);
    case BiasKind::fire: {
      // The mask hides what a causal FIRE would set to −∞.
      position::FireParams both = config.fire;
      both.direction = position::Direction::bidirectional;
      return position::fire_cpu<T>(network(values), both, y);
    }
    case BiasKind::none:
      break;
  }
  bias.resize(0, 0);
}

template <class T>
void PositionBias<T>::backward(Values<T> values, View<const T> dbias, Gradient<T> gradient) const {
  if (config.kind == BiasKind::t5) {
    Matrix<T> dtable(table.rows, table.cols);
    position::t5_bias_vjp<T>(dbias, config.t5, dtable);
    add<T>(dtable, table.matrix(gradient));
  }
  if (config.kind == BiasKind::fire) {
    const Matrix<double> g = dbias.eigen().template cast<double>();
    const position::FireWeights d = position::fire_vjp(network(values), config.fire, g);
    add_doubles(d.w_in.data(), w_in, gradient);
    add_doubles(d.b_in.data(), b_in, gradient);
    add_doubles(d.w_mid.data(), w_mid, gradient);
    add_doubles(d.b_mid.data(), b_mid, gradient);
    add_doubles(d.w_out.data(), w_out, gradient);
    add_doubles(d.b_out.data(), b_out, gradient);
  }
}

template struct PositionBias<float>;
template struct PositionBias<double>;

}  // namespace orrery::transformer
