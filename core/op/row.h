// How a row of the op table is made from an op's adapters.
#pragma once

#include <span>

#include "core/op/op.h"

namespace orrery::op {

using parameter::Kind;
using parameter::Parameter;
using parameter::Travel;

/// The row of an op whose adapters are T.
template <class T>
constexpr Op row(std::string_view name, std::string_view group, std::string_view summary,
                 std::string_view formula, std::span<const Input> inputs,
                 std::span<const Parameter> parameters, Twin magnitude = nullptr) {
  Op op{name, group, summary, formula, inputs, parameters, T::ref, T::cpu, nullptr, T::bounds, magnitude};
  if constexpr (requires { T::gpu; }) op.gpu = T::gpu;
  if constexpr (requires { T::staged; }) op.staged = T::staged;
  if constexpr (requires { T::vjp; }) op.vjp = T::vjp;
  return op;
}

}  // namespace orrery::op
