#include "core/tensor/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/tensor/error.h"

namespace orrery::tensor {
namespace {

constexpr std::array<FormatInfo, 4> formats{{
    {"f64", 8, 53, std::numeric_limits<double>::max(), 0x1p-1022, 0x1p-53},
    {"f32", 4, 24, std::numeric_limits<float>::max(), 0x1p-126, 0x1p-24},
    {"f16", 2, 11, 65504.0, 0x1p-14, 0x1p-11},
    {"bf16", 2, 8, 0x1.fep127, 0x1p-126, 0x1p-8},
}};

/// Rounding to a format narrower than float, by one addition. `anchor` is chosen so that the last place of x
/// + anchor is the last place that the format has at x: the processor's own addition then rounds there, once,
/// ties to even, and the subtraction is exact.
double round_narrow(const FormatInfo& f, double x) {
  if (!std::isfinite(x)) return x;
  if (std::abs(x) >= 2 * f.max) return std::copysign(std::numeric_limits<double>::infinity(), x);
  constexpr std::uint64_t exponent_bits = 0x7ff0'0000'0000'0000;
  const double power_of_two = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & exponent_bits);
  // Below the smallest normal value the spacing stays what it is there: subnormals.
  const double binade = std::max(power_of_two, f.min_normal);
  const double anchor = 1.5 * binade * std::ldexp(1.0, 53 - f.precision);
  const double rounded = std::copysign((x + anchor) - anchor, x);  // a zero keeps its sign
  return std::abs(rounded) > f.max ? std::copysign(std::numeric_limits<double>::infinity(), x) : rounded;
}

}  // namespace

const FormatInfo& info(Format format) {
  return formats[static_cast<std::size_t>(format)];
}

std::string_view name(Format format) {
  return info(format).name;
}

Format format_from_name(std::string_view text) {
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (formats[i].name == text) return static_cast<Format>(i);
  }
  throw InvalidArgument(
      about(words("number format")).found_text(text).allowed(name_phrase("f64, f32, f16, bf16")));
}

double round_to(Format format, double x) {
  switch (format) {
    case Format::f64:
      return x;
    case Format::f32:
      return static_cast<double>(static_cast<float>(x));
    case Format::f16:
    case Format::bf16:
      break;
  }
  return round_narrow(info(format), x);
}

void round_to(Format format, std::span<double> values) {
  if (format == Format::f64) return;
  for (double& x : values) x = round_to(format, x);
}

void round_to(Format format, std::span<float> values) {
  if (format == Format::f64 || format == Format::f32) return;
  for (float& x : values) x = static_cast<float>(round_narrow(info(format), static_cast<double>(x)));
}

}  // namespace orrery::tensor
