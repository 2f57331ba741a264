// How a row of the op table is made from an op's adapters.
#pragma once

#include "core/op/op.h"
#include "core/op/work.h"

namespace orrery::op {

using parameter::Kind;
using parameter::Parameter;
using parameter::Travel;

/// A twin: the work prepared and done.
template <Work (*prepare)(const Call&)>
tensor::Array done(const Call& call) {
  return prepare(call).done();
}

/// The row, with what the adapters T have.
template <class T>
constexpr Op row(Op op) {
  op.ref = done<T::ref>;
  op.cpu = done<T::cpu>;
  op.cpu_work = T::cpu;
  op.bounds = T::bounds;
  if constexpr (requires { T::gpu; }) op.gpu = done<T::gpu>, op.gpu_work = T::gpu;
  if constexpr (requires { T::magnitude; }) op.magnitude = T::magnitude;
  if constexpr (requires { T::staged; }) op.staged = done<T::staged>;
  if constexpr (requires { T::vjp; }) op.vjp = T::vjp;
  if constexpr (requires { T::reads; }) op.reads = T::reads;
  if constexpr (requires { T::flops; }) op.flops = T::flops;
  if constexpr (requires { T::flops_in_double; }) op.flops_in_double = T::flops_in_double;
  if constexpr (requires { T::note; }) op.note = T::note;
  if constexpr (requires { T::warnings; }) op.warnings = T::warnings;
  if constexpr (requires { T::fit; }) op.sampling.fit = T::fit;
  return op;
}

}  // namespace orrery::op
