#include "app/study/norm/put_in.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace orrery::study {
namespace {

/// "1.2e-05" as TeX has it: 1.2 \cdot 10^{-5}.
std::string in_tex(double x, int significant) {
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.begin(), digits.end(), x, std::chars_format::general, significant).ptr;
  const std::string text(digits.begin(), end);
  const std::size_t e = text.find('e');
  if (e == text.npos) return text;
  const int exponent = std::atoi(text.c_str() + e + 1);
  return text.substr(0, e) + " \\cdot 10^{" + std::to_string(exponent) + "}";
}

std::string joined(std::span<const double> x, auto&& term) {
  std::string text;
  for (const double each : x) text += (text.empty() ? "" : " + ") + term(each);
  return text;
}

}  // namespace

std::string put_in(double x, int significant) {
  const std::string text = in_tex(x == 0 ? 0 : x, significant);
  const bool product = text.find('\\') != text.npos;
  return text.starts_with('-') || product ? "(" + text + ")" : text;
}

std::string sum_put_in(std::span<const double> x) {
  return joined(x, [](double each) { return put_in(each); });
}

std::string squares_put_in(std::span<const double> x) {
  return joined(x, [](double each) { return put_in(each) + "^{2}"; });
}

std::string statement(const std::string& name, const std::string& numbers, double result, int significant) {
  const std::string shown = in_tex(result == 0 ? 0 : result, significant);
  const bool exact = in_tex(result, significant) == in_tex(result, 15);
  return name + " = " + numbers + (exact ? " = " : " \\approx ") + shown;
}

}  // namespace orrery::study
