#include "core/transformer/linear.h"

#include "core/transformer/arithmetic.h"

namespace orrery::transformer {

template <class T>
Linear<T> Linear<T>::make(Layout& layout, const std::string& path, Index inputs, Index outputs, bool bias,
                          Role role) {
  Linear map;
  map.weight = layout.matrix(path + ".weight", outputs, inputs, role);
  if (bias) map.bias = layout.vector(path + ".bias", outputs, Role::bias);
  return map;
}

template <class T>
void Linear<T>::forward(Values<T> values, View<const T> x, View<T> y) const {
  product_with_transposed<T>(x, weight.matrix(values), bias.numbers(values), y);
}

template <class T>
void Linear<T>::backward(Values<T> values, View<const T> x, View<const T> g, Gradient<T> gradient,
                         View<T> dx) const {
  if (!gradient.empty()) {
    add_transposed_product<T>(g, x, weight.matrix(gradient));
    add_column_sums<T>(g, bias.numbers(gradient));
  }
  if (!dx.empty()) product<T>(g, weight.matrix(values), dx);
}

template struct Linear<float>;
template struct Linear<double>;

}  // namespace orrery::transformer
