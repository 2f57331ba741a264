#include "core/transformer/norm.h"

#include <vector>

#include "core/norm/layer_norm.h"
#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm.h"
#include "core/norm/rms_norm_vjp.h"

namespace orrery::transformer {
namespace {

template <class T>
void add_numbers(const std::vector<T>& from, std::span<T> to) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += from[j];
}

}  // namespace

template <class T>
Norm<T> Norm<T>::make(Layout& layout, const std::string& path, Index width, const NormConfig& config) {
  Norm norm{.config = config, .gain = layout.vector(path + ".weight", width, Role::gain), .shift = {}};
  if (config.kind == NormKind::layer && config.bias)
    norm.shift = layout.vector(path + ".bias", width, Role::bias);
  return norm;
}

template <class T>
void Norm<T>::forward(Values<T> values, View<const T> x, View<T> y) const {
  const auto weight = gain.numbers(values), bias = shift.numbers(values);
  if (config.kind == NormKind::layer)
    norm::layer_norm_cpu<T>(x, weight, bias, {.eps = config.eps}, y);
  else
    norm::rms_norm_cpu<T>(x, weight, bias, {.eps = config.eps}, y);
}

template <class T>
void Norm<T>::backward(Values<T> values, View<const T> x, View<const T> g, Gradient<T> gradient,
                       View<T> dx) const {
  std::vector<T> dgain(static_cast<std::size_t>(gain.size())), dshift(static_cast<std::size_t>(shift.size()));
  const auto weight = gain.numbers(values);
  // The ops take the sums for dw and db after dx, of the same g: it must still be there.
  Matrix<T> own(x.rows, x.cols);
  if (config.kind == NormKind::layer)
    norm::layer_norm_vjp<T>(x, weight, g, {.eps = config.eps}, {.x = own, .weight = dgain, .bias = dshift});
  else
    norm::rms_norm_vjp<T>(x, weight, g, {.eps = config.eps}, {.x = own, .weight = dgain, .bias = dshift});
  dx.eigen() = own;
  if (gradient.empty()) return;
  add_numbers(dgain, gain.numbers(gradient));
  add_numbers(dshift, shift.numbers(gradient));
}

template struct Norm<float>;
template struct Norm<double>;

}  // namespace orrery::transformer
