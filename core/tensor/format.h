// The four number formats, their constants, and correct rounding into each.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery::tensor {

enum class Format : std::uint8_t { f64, f32, f16, bf16 };

using f16 = Eigen::half;
using bf16 = Eigen::bfloat16;

struct FormatInfo {
  std::string_view name;  ///< "f64", "f32", "f16", "bf16": as typed on the command line
  int bytes;
  int precision;         ///< bits of the significand, the hidden one included
  double max;            ///< largest finite value
  double min_normal;     ///< smallest positive normal value
  double unit_roundoff;  ///< u = 2^-precision: half the distance from 1 to the next larger value
};

const FormatInfo& info(Format);
std::string_view name(Format);
/// Throws InvalidArgument naming the four when `text` is none of them.
Format format_from_name(std::string_view text);

template <class T>
inline constexpr Format format_of = Format::f64;
template <>
inline constexpr Format format_of<float> = Format::f32;
template <>
inline constexpr Format format_of<f16> = Format::f16;
template <>
inline constexpr Format format_of<bf16> = Format::bf16;

/// The value of `format` nearest to x, ties to even, rounded once: never through a second format on the way
/// (double → float → half would round twice and be wrong for values just beside a tie).
/// Overflow gives infinity, subnormals are kept, NaN stays NaN.
double round_to(Format format, double x);
void round_to(Format format, std::span<double> values);
void round_to(Format format, std::span<float> values);

/// Calls f with a value of the scalar type that `format` names: visit(fmt, [](auto zero) { using T = decltype(zero); … }).
template <class F>
decltype(auto) visit(Format format, F&& f) {
  switch (format) {
    case Format::f32:
      return f(float{});
    case Format::f16:
      return f(f16{});
    case Format::bf16:
      return f(bf16{});
    case Format::f64:
      break;
  }
  return f(double{});
}

}  // namespace orrery::tensor
