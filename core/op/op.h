// What the program knows about an op, in one row: the source of `orrery apply`, of the twin tests, of the
// benchmarks, and of the table in the README. See table.cpp for how to add one.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/op/sampling.h"
#include "core/parameter/settings.h"
#include "core/tensor/array.h"
#include "core/tensor/bound.h"
#include "core/tensor/precision.h"

namespace orrery::gpu {
class Device;
}
namespace orrery::position {
struct RopeWarning;
}

namespace orrery::op {

/// What the elements of an input are.
enum class Holds : std::uint8_t {
  numbers,
  row_numbers,  ///< of a table of V rows
  flags,        ///< 1 or 0
  counts,       ///< how many of S keys
  positions,    ///< in tokens
  documents,    ///< a number for each of the texts in a row of tokens
  statistics    ///< gathered in training: means and variances
};

/// An array that the op reads.
struct Input {
  std::string_view name = {};  ///< "x", "weight"
  bool positional = false;  ///< given by place on the command line (x, q, k), or by name=FILE (weight, bias)
  std::string_view shape = {};  ///< in the letters of the contract: "… × D"
  std::string_view help = {};
  Holds holds = Holds::numbers;
  /// For a named one that the op cannot do without at some settings: "output=bias", as Parameter::only_when.
  std::string_view needed_when = {};
  /// What its elements are where they change nothing: 1 for a gain, 0 for a shift; NaN: there is no such value.
  double neutral = std::numeric_limits<double>::quiet_NaN();
  bool shares_heads = false;  ///< the last axis of "…" may be a divisor of the first input's
  bool of_heads = false;      ///< its H is the last axis of the first input's "…"

  /// Never rounded to a storage format, and without a derivative.
  constexpr bool exact() const { return holds != Holds::numbers; }
};

struct Call {
  /// By name. Positional inputs are there; named ones may be missing.
  std::map<std::string, tensor::Array, std::less<>> inputs;
  parameter::Settings settings;
  /// Parameters that someone named, even with the value that they have anyway.
  std::set<std::string, std::less<>> given = {};
  /// The format of the arithmetic: f64 or f32. `ref` always computes in double.
  tensor::Format compute = tensor::Format::f32;
  /// For the staged twin only: what each stage is rounded to.
  tensor::Precision precision;
  gpu::Device* device = nullptr;  ///< for the gpu twin only
  bool in_place = false;          ///< for work of ops that may: it reads its last result, first x

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

/// How far the cpu twin in double may stand from ref, which adds in another order: sums of up to 4096 terms lose √4096 u
/// in all likelihood (u = 2⁻⁵³; Higham and Mary 2019), a few u come from exp, erfc and roots: 2⁻⁴⁶ = 128 u of the result
/// or, where terms cancel, of the row's largest.
inline constexpr tensor::Bound double_bound{
    .abs = 0x1p-1070, .rel = 0x1p-46, .nmse = 0x1p-80, .row = 0x1p-46};

/// How far the fast twins may stand from ref, on the shared input sets. Some bounds grow with the width.
struct Bounds {
  tensor::Bound cpu, gpu;
  /// The cpu twin adds in float too: its bound is read as the gpu's, see Op::magnitude.
  bool cpu_by_magnitude = false;
  tensor::Bound cpu_in_double = double_bound;
};

class Work;

struct Op {
  std::string_view name = {};
  std::string_view group = {};    ///< norm, position, attention, activation
  std::string_view summary = {};  ///< one line
  std::string_view formula = {};  ///< TeX
  std::span<const Input> inputs = {};
  std::span<const parameter::Parameter> parameters = {};
  Sampling sampling = {};
  std::span<const Benchmark> benchmarks = {};
  // What follows is the adapters': see row.h.
  Twin ref = nullptr, cpu = nullptr, gpu = nullptr;  ///< gpu may be nullptr: the device declines, and says so
  Bounds (*bounds)(const Call&) = nullptr;
  /// What the gpu's `rel` and `row` are relative to, element by element, where that is not the result itself
  /// but the sum of magnitudes behind it (a float dot product may cancel); nullptr elsewhere.
  Twin magnitude = nullptr;
  /// The op with every stage rounded as call.precision says; nullptr: the op has no stages of its own (or not yet), and
  /// says so.
  Twin staged = nullptr;
  Vjp vjp = nullptr;  ///< nullptr: the op has no floating input, or leaps where it changes
  /// What the twins do, prepared: see work.h.
  Work (*cpu_work)(const Call&) = nullptr;
  Work (*gpu_work)(const Call&) = nullptr;
  /// How many numbers an ideal op reads; nullptr: all that is given by place. What it writes is its result.
  double (*reads)(const Call&) = nullptr;
  /// Where arithmetic limits the op, not memory: its additions and multiplications.
  double (*flops)(const Call&) = nullptr;
  /// Whether the cpu twin does these in double, as its contract says: a vector holds half as many.
  bool flops_in_double = false;
  /// What a person should know of how this call was read, where it could be read in two ways; nullptr or empty: nothing.
  std::string (*note)(const Call&) = nullptr;
  /// What surprises people in the rule or the configuration that the call goes by; nullptr or empty: nothing.
  std::vector<position::RopeWarning> (*warnings)(const Call&) = nullptr;
};

std::span<const Op> table();
/// "layer_norm|rms_norm|…": as the choices of a parameter.
std::string_view names();
/// Throws InvalidArgument that lists the ops.
const Op& find(std::string_view name);

}  // namespace orrery::op
