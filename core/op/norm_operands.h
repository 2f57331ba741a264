// What the adapters of the norms share: the last axis of any array is a token's D, all other axes are rows.
#pragma once

#include <span>
#include <string_view>

#include "core/op/gradient.h"
#include "core/op/operands.h"

namespace orrery::op {

inline const tensor::Array& tokens(const Call& call) {
  return input_with_axes(call, "x", 1, "… × D");
}

/// Room for the gradient by a vector that goes with the columns: one value each when that input is given.
template <class T>
tensor::Matrix<T> room_for(const Call& call, std::string_view name, tensor::Index cols) {
  return tensor::Matrix<T>(1, call.find(name) == nullptr ? 0 : cols);
}

template <class T>
std::span<T> span_of(tensor::Matrix<T>& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}

/// Puts the gradient by an input among the results when that input is given.
template <class T>
void keep(Gradients& result, const Call& call, std::string_view name, const tensor::Matrix<T>& gradient) {
  if (const tensor::Array* input = call.find(name)) result.emplace(name, array_of(gradient, input->shape));
}

}  // namespace orrery::op
