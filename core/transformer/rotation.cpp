#include "core/transformer/rotation.h"

#include <numeric>

#include "core/position/rope_vjp.h"

namespace orrery::transformer {
namespace {

/// The columns of one head.
template <class T>
View<T> columns(View<T> x, Index head, Index heads) {
  const Index width = x.cols / heads;
  return {x.data + head * width, x.rows, width, x.stride};
}

}  // namespace

template <class T>
Rotation<T>::Rotation(RotationConfig config, Index head_width)
    : frequencies_(std::move(config.frequencies)),
      attention_factor_(config.attention_factor),
      layout_(config.layout) {
  if (frequencies_.empty())
    frequencies_ =
        position::rope_default_frequencies(config.width > 0 ? config.width : head_width, config.base);
}

template <class T>
void Rotation<T>::prepare(Index length) {
  if (cos_.rows() == length) return;
  std::vector<double> positions(static_cast<std::size_t>(length));
  std::iota(positions.begin(), positions.end(), 0.0);
  const position::RopeTable table = position::rope_table(positions, frequencies_, attention_factor_);
  cos_ = table.cos.template cast<T>();
  sin_ = table.sin.template cast<T>();
}

template <class T>
void Rotation<T>::forward(View<const T> x, Index heads, View<T> y) const {
  for (Index h = 0; h < heads; ++h)
    position::rope_cpu<T>(columns(x, h, heads), cos_, sin_, layout_, columns(y, h, heads));
}

template <class T>
void Rotation<T>::backward(View<const T> g, Index heads, View<T> dx) const {
  for (Index h = 0; h < heads; ++h)
    position::rope_vjp<T>(columns(g, h, heads), cos_, sin_, layout_, columns(dx, h, heads));
}

template class Rotation<float>;
template class Rotation<double>;

}  // namespace orrery::transformer
