#include "core/tensor/array.h"

#include <functional>
#include <numeric>

namespace orrery::tensor {
namespace {

Index product(auto first, auto last) {
  return std::accumulate(first, last, Index{1}, std::multiplies<>{});
}

template <class T>
Array rounded_copy(View<const T> v, Format format) {
  std::vector<T> copy;
  copy.reserve(static_cast<std::size_t>(v.size()));
  for (Index i = 0; i < v.rows; ++i) copy.insert(copy.end(), v.row(i).begin(), v.row(i).end());
  Array a{format, {v.rows, v.cols}, std::move(copy)};
  a.values.round_to(format);
  return a;
}

}  // namespace

Index Array::cols() const {
  return shape.empty() ? 1 : shape.back();
}

Index Array::rows() const {
  return shape.empty() ? 1 : product(shape.begin(), shape.end() - 1);
}

Array Array::zeros(Format format, std::vector<Index> shape) {
  const auto size = static_cast<std::size_t>(product(shape.begin(), shape.end()));
  return {format, std::move(shape), std::vector<double>(size)};
}

Array Array::from(View<const double> v, Format format) {
  return rounded_copy(v, format);
}

Array Array::from(View<const float> v, Format format) {
  return rounded_copy(v, format);
}

std::string shape_text(const std::vector<Index>& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const Index n : shape) {
    if (!text.empty()) text += "×";
    text += std::to_string(n);
  }
  return text;
}

std::string place_text(const std::vector<Index>& place) {
  std::string text;
  for (const Index i : place) text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "[" + text + "]";
}

}  // namespace orrery::tensor
