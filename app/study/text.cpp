#include "app/study/text.h"

#include <charconv>
#include <cmath>
#include <string>

#include "core/parameter/parameter.h"

namespace orrery::study {
namespace {

constexpr const char* thin_space = "\u2009";
constexpr const char* minus = "\u2212";

std::string with_true_minus(std::string text) {
  if (!text.empty() && text[0] == '-') text.replace(0, 1, minus);
  return text;
}

std::string written(double x, std::chars_format format, int precision) {
  if (x == 0) x = 0;  // the sign of nothing says nothing
  char buffer[400];   // the longest double in fixed notation has 309 digits before its point
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x, format, precision).ptr;
  return with_true_minus(std::string(buffer, end));
}

/// The number that so many significant digits say.
double of_digits(double x, int significant) {
  const std::string digits = written(std::abs(x), std::chars_format::scientific, significant - 1);
  double few = std::abs(x);
  std::from_chars(digits.data(), digits.data() + digits.size(), few);
  return std::copysign(few, x);
}

/// What moves passes 99999.99999999997 and 1778.2794100389228: a label has room for six digits. Whole numbers keep theirs.
double for_label(double x) {
  if (x == std::round(x) || !std::isfinite(x)) return x;
  return x >= 1e5 ? std::round(x) : of_digits(x, 6);
}

}  // namespace

std::string grouped(double x) {
  std::string digits = parameter::shortest(for_label(std::abs(x)));
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  if (whole > 4 && digits.find_first_not_of("0123456789.") == std::string::npos)
    for (std::size_t at = whole; at > 3;) digits.insert(at -= 3, thin_space);
  return (x < 0 ? minus : "") + digits;
}

std::string fixed_text(double x, int decimals) {
  return written(x, std::chars_format::fixed, decimals);
}

std::string rounded_text(double x, int significant) {
  const std::string text = written(x, std::chars_format::general, significant);
  return text.find('e') == std::string::npos ? text : scientific_text(x, significant);
}

std::string scientific_text(double x, int significant) {
  const double size = std::abs(x);
  if (size == 0 || !std::isfinite(x)) return written(x, std::chars_format::general, 1);
  if (size >= 0.01 && size < 100) return with_true_minus(parameter::shortest(of_digits(x, 2)));
  const double exponent = std::floor(std::log10(size));
  const double unit = std::pow(10, significant - 1);
  const double digits = std::round(x / std::pow(10, exponent) * unit) / unit;
  const bool carried = std::abs(digits) == 10;  // 9.7e-5 is 1e-4
  const double mantissa = carried ? digits / 10 : digits;
  const std::string power = "10^{" + parameter::shortest(exponent + carried) + "}$";
  if (std::abs(mantissa) == 1) return (mantissa < 0 ? "$-" : "$") + power;
  return "$" + parameter::shortest(mantissa) + " \\times " + power;
}

std::string short_text(double x, int significant) {
  const double size = std::abs(x);
  if (size == 0 || !std::isfinite(x)) return rounded_text(x, significant);
  return size < 1e-3 || size >= 1e7 ? scientific_text(x, significant) : grouped(of_digits(x, significant));
}

std::string amount(double n, const std::string& one, const std::string& many) {
  return grouped(n) + " " + (n == 1 ? one : many);
}

}  // namespace orrery::study
