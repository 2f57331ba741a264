// What the program knows about an op, in one row: the source of `orrery apply`, of the twin tests, of the
// benchmarks, and of the table in the README. See table.cpp for how to add one.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/parameter/settings.h"
#include "core/tensor/array.h"
#include "core/tensor/bound.h"
#include "core/tensor/precision.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::op {

/// An array that the op reads.
struct Input {
  std::string_view name = {};  ///< "x", "weight"
  bool positional = false;  ///< given by place on the command line (x, q, k), or by name=FILE (weight, bias)
  std::string_view shape = {};  ///< in the letters of the contract: "… × D"
  std::string_view help = {};
  bool exact = false;  ///< whole numbers or positions: never rounded to a storage format
};

struct Call {
  /// By name. Positional inputs are there; named ones may be missing.
  std::map<std::string, tensor::Array, std::less<>> inputs;
  parameter::Settings settings;
  /// The format of the arithmetic: f64 or f32. `ref` always computes in double.
  tensor::Format compute = tensor::Format::f32;
  /// For the staged twin only: what each stage is rounded to.
  tensor::Precision precision;
  gpu::Device* device = nullptr;  ///< for the gpu twin only

  const tensor::Array& input(std::string_view name) const;  ///< throws InvalidArgument when missing
  const tensor::Array* find(std::string_view name) const;   ///< nullptr when missing
};

/// Checks shapes (InvalidArgument names the input, what was found, what is allowed), computes, returns the
/// values in the format of the arithmetic, not yet rounded to a storage format.
using Twin = tensor::Array (*)(const Call&);

/// The derivatives of Σ gradient·result by every floating input, by the input's name; of the shape of that input. A
/// named input that is not given has none.
using Gradients = std::map<std::string, tensor::Array, std::less<>>;
/// Computes in call.compute; checks that the gradient has the result's shape (InvalidArgument).
using Vjp = Gradients (*)(const Call&, const tensor::Array& gradient);

/// How far the float twins may stand from ref, on the shared input sets. Some bounds grow with the width.
struct Bounds {
  tensor::Bound cpu, gpu;
  bool cpu_by_magnitude =
      false;  ///< the cpu twin adds in float too: its bound is read as the gpu's, see Op::magnitude
};

struct Op {
  std::string_view name;
  std::string_view group;    ///< norm, position, attention, activation
  std::string_view summary;  ///< one line
  std::string_view formula;  ///< TeX
  std::span<const Input> inputs;
  std::span<const parameter::Parameter> parameters;
  Twin ref, cpu, gpu;  ///< gpu may be nullptr: the device declines, and says so
  Bounds (*bounds)(const Call&);
  /// What the gpu's `rel` and `row` are relative to, element by element, where that is not the result itself
  /// but the sum of magnitudes behind it (a float dot product may cancel); nullptr elsewhere.
  Twin magnitude = nullptr;
  /// The op with every stage rounded as call.precision says; nullptr: the op has no stages of its own (or not yet), and
  /// says so.
  Twin staged = nullptr;
  Vjp vjp = nullptr;  ///< nullptr: the op has no floating input
};

std::span<const Op> table();
/// Throws InvalidArgument that lists the ops.
const Op& find(std::string_view name);

}  // namespace orrery::op
