#include "app/study/kit/tex_numbers.h"

#include <charconv>
#include <cmath>

namespace orrery::study {
namespace {

std::string written(double x, std::chars_format format, int precision) {
  char buffer[400];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, format, precision).ptr};
}

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace

std::string in_tex(double x, int significant) {
  if (x == 0) return "0";
  const std::string digits = written(x, std::chars_format::scientific, significant - 1);
  const std::size_t e = digits.find('e');
  int exponent = 0;
  std::from_chars(digits.data() + e + (digits[e + 1] == '+' ? 2 : 1), digits.data() + digits.size(),
                  exponent);
  if (exponent < -4 || exponent >= 15)
    return without_trailing_zeros(digits.substr(0, e)) + " \\cdot 10^{" + std::to_string(exponent) + "}";
  const double rounded = as_typed(x, significant);
  return without_trailing_zeros(
      written(rounded, std::chars_format::fixed, std::max(0, significant - 1 - exponent)));
}

std::string in_tex_as_factor(double x, int significant) {
  return x < 0 ? "(" + in_tex(x, significant) + ")" : in_tex(x, significant);
}

double as_typed(double x, int significant) {
  const std::string digits = written(x, std::chars_format::scientific, significant - 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), x);
  return x;
}

std::string result_in_tex(double x, int decimals) {
  const std::string digits = written(x, std::chars_format::fixed, decimals);
  double said = x;
  std::from_chars(digits.data(), digits.data() + digits.size(), said);
  const std::string text = without_trailing_zeros(digits);
  constexpr int digits_of_little = 3;
  if (said == 0 && x != 0) return " \\approx " + in_tex(x, digits_of_little);
  return (said == x ? " = " : " \\approx ") + (text == "-0" ? "0" : text);
}

}  // namespace orrery::study
