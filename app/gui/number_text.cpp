#include "app/gui/number_text.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace orrery::gui {
namespace {

constexpr const char* minus_sign = "\u2212";

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

}  // namespace orrery::gui
