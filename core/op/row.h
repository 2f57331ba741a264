// How a row of the op table is made from an op's adapters.
#pragma once

#include <span>

#include "core/op/op.h"

namespace orrery::op {

using parameter::Kind;
using parameter::Parameter;
using parameter::Travel;

/// The row, with what the adapters T have.
template <class T>
constexpr Op row(Op op) {
  op.ref = T::ref;
  op.cpu = T::cpu;
  op.bounds = T::bounds;
  if constexpr (requires { T::gpu; }) op.gpu = T::gpu;
  if constexpr (requires { T::magnitude; }) op.magnitude = T::magnitude;
  if constexpr (requires { T::staged; }) op.staged = T::staged;
  if constexpr (requires { T::vjp; }) op.vjp = T::vjp;
  if constexpr (requires { T::fit; }) op.sampling.fit = T::fit;
  return op;
}

}  // namespace orrery::op
