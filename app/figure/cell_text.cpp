#include "app/figure/cell_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace orrery::figure {
namespace {

constexpr const char* minus_sign = "\u2212";
constexpr const char* group_space = "\u2009";  // thin

std::string with_minus_sign(std::string digits) {
  if (digits.starts_with('-')) digits.replace(0, 1, minus_sign);
  return digits;
}

/// As printf has them, but with a point in every locale; a double in decimals has up to 309 digits before it.
std::string decimals(double value, int after_the_point) {
  char text[400];
  return {text, std::to_chars(text, std::end(text), value, std::chars_format::fixed, after_the_point).ptr};
}

ShownNumber scientific(double value, int digits) {
  char text[40];
  const std::string whole(
      text, std::to_chars(text, std::end(text), value, std::chars_format::scientific, digits - 1).ptr);
  const std::size_t e = whole.find('e');
  return {with_minus_sign(whole.substr(0, e)), std::stoi(whole.substr(e + 1))};
}

}  // namespace

std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  const std::size_t first = n < 0 ? 1 : 0;
  if (digits.size() - first > 4)  // four digits read well as they are
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, group_space);
  return with_minus_sign(digits);
}

ColumnStyle column_style(const Column& column) {
  const auto whole = [](double v) { return !std::isfinite(v) || (v == std::floor(v) && std::abs(v) < 1e12); };
  return {std::ranges::all_of(column.values, whole), std::clamp(column.digits, 1, 17)};
}

ShownNumber shown_number(double value, ColumnStyle style) {
  constexpr double least = 1e-4, most = 1e9;  // of decimals; beyond, zeros would hide the number
  if (std::isnan(value)) return {"NaN"};
  if (std::isinf(value)) return {value > 0 ? "\u221E" : "\u2212\u221E"};
  if (style.whole) return {grouped(static_cast<std::int64_t>(std::llround(value)))};
  if (value == 0) return {"0"};
  const double size = std::abs(value);
  if (size < least || size >= most) return scientific(value, style.digits);
  const int after_the_point = style.digits - 1 - static_cast<int>(std::floor(std::log10(size)));
  return {with_minus_sign(decimals(value, std::max(after_the_point, 0)))};
}

std::string cell_text(double value, ColumnStyle style) {
  const ShownNumber shown = shown_number(value, style);
  if (!shown.exponent) return shown.digits;
  char exponent[16];
  std::snprintf(exponent, sizeof exponent, "%02d", std::abs(*shown.exponent));
  return shown.digits + "e" + (*shown.exponent < 0 ? minus_sign : "+") + exponent;
}

}  // namespace orrery::figure
