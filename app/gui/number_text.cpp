#include "app/gui/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace orrery::gui {
namespace {

constexpr const char* minus_sign = "\u2212";
constexpr const char* group_space = "\u2009";  // thin

std::string with_minus_signs(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at))
    text.replace(at, 1, minus_sign);
  return text;
}

}  // namespace

std::string formatted(const char* format, ...) {
  std::va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  std::string text(static_cast<std::size_t>(std::max(0, std::vsnprintf(nullptr, 0, format, args))), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

std::string number_text(double x, int digits) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "\u221E" : "\u2212\u221E";
  return with_minus_signs(formatted("%.*g", digits, x == 0 ? 0.0 : x));
}

std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  const std::size_t first = n < 0 ? 1 : 0;
  if (digits.size() - first > 4)  // four digits read well as they are
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, group_space);
  return with_minus_signs(digits);
}

std::string value_text(const parameter::Value& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) return grouped(*n);
  if (const auto* x = std::get_if<double>(&value)) {
    if (*x == std::floor(*x) && std::abs(*x) < 1e15) return grouped(static_cast<std::int64_t>(*x));
    return number_text(*x, 6);
  }
  return parameter::format(value);
}

std::string duration_text(double seconds) {
  if (seconds >= 1) return formatted("%.3g s", seconds);
  const double ms = seconds * 1e3;
  return ms >= 99.5 ? formatted("%.0f ms", ms) : formatted("%.*f ms", ms >= 9.95 ? 1 : 2, ms);
}

ColumnStyle column_style(const figure::Column& column) {
  double largest = 0, least = INFINITY;
  bool whole = true;
  for (const double v : column.values) {
    if (!std::isfinite(v)) continue;
    whole = whole && v == std::floor(v);
    largest = std::max(largest, std::abs(v));
    if (v != 0) least = std::min(least, std::abs(v));
  }
  if (whole && largest < 1e12) return {};
  const int digits = std::clamp(column.digits, 1, 17);
  // Fixed decimals while the widest value stays readable and the least one keeps three digits; powers of ten
  // otherwise.
  const int before = largest >= 1 ? static_cast<int>(std::floor(std::log10(largest))) + 1 : 1;
  const int decimals = std::clamp(digits - before, 0, 8);
  if (before > 9 || (std::isfinite(least) && least < std::pow(10, 2 - decimals) && least < 1e-3))
    return {true, std::min(digits - 1, 4)};
  return {false, decimals};
}

std::string cell_text(double value, ColumnStyle style) {
  if (!std::isfinite(value)) return number_text(value);
  if (style.scientific) return with_minus_signs(formatted("%.*e", style.decimals, value));
  if (style.decimals == 0) return grouped(static_cast<std::int64_t>(std::llround(value)));
  return with_minus_signs(formatted("%.*f", style.decimals, value == 0 ? 0.0 : value));
}

}  // namespace orrery::gui
