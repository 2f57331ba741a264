#include "app/study/kit/worked_decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace orrery::study::worked {
namespace {

// What is below is written without a power of ten: any number, and a whole one that is asked for to its last digit.
constexpr double largest_plain = 1e7, largest_whole = 1e9;

std::string digits_of(double x, std::chars_format format, int precision) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, format, precision).ptr};
}

double read(const std::string& digits) {
  double x = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), x);
  return x;
}

/// "12300e-7" has no zeros at its end that say nothing: "1.23e-3".
std::string without_zeros(std::string mantissa) {
  if (mantissa.find('.') == std::string::npos) return mantissa;
  mantissa.erase(mantissa.find_last_not_of('0') + 1);
  if (mantissa.back() == '.') mantissa.pop_back();
  return mantissa;
}

bool is_written_whole(double x, int significant) {
  const double size = std::abs(x);
  return x == std::round(x) &&
         (size < largest_plain || (size < largest_whole && size < std::pow(10, significant)));
}

/// 1.2300e-05: so many digits, or as few as give the number back where that many would.
std::string scientific_of(double x, int significant) {
  if (significant < most_digits) return digits_of(x, std::chars_format::scientific, significant - 1);
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific).ptr};
}

}  // namespace

std::string Decimal::tex() const {
  if (exponent == 0) return mantissa;
  const std::string power = "10^{" + std::to_string(exponent) + "}";
  if (mantissa == "1") return power;
  return mantissa == "-1" ? "-" + power : mantissa + " \\cdot " + power;
}

Decimal decimal(double x, int significant) {
  if (x == 0) return {"0", 0, 0};
  if (!std::isfinite(x)) return {"\\infty", 0, x};  // Worked leaves it out
  const std::string scientific = scientific_of(x, significant);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  const double value = read(scientific);
  if (exponent < -4 || std::abs(value) >= largest_plain) return {scientific.substr(0, e), exponent, value};
  const auto digits = static_cast<int>(
      std::ranges::count_if(scientific.substr(0, e), [](char c) { return c >= '0' && c <= '9'; }));
  const int decimals = std::max(0, digits - 1 - exponent);
  return {digits_of(value, std::chars_format::fixed, decimals), 0, value};
}

Decimal short_decimal(double x, int significant) {
  if (is_written_whole(x, significant)) return {digits_of(x == 0 ? 0 : x, std::chars_format::fixed, 0), 0, x};
  Decimal d = decimal(x, significant);
  d.mantissa = without_zeros(std::move(d.mantissa));
  return d;
}

int digits_wanted(double x) {
  constexpr int usual = 4;
  if (x == 0) return 1;
  const int whole = static_cast<int>(std::floor(std::log10(std::abs(x)))) + 1;
  return whole > usual && std::abs(x) < largest_plain ? whole : usual;
}

double last_digit_unit(double x, int significant) {
  return x == 0 ? 1e-9 : std::pow(10, std::floor(std::log10(std::abs(x))) + 1 - significant);
}

std::string number_tex(double x, int significant) {
  return short_decimal(x, significant).tex();
}

std::string subscripted(std::string_view letter, double place) {
  const std::string text = number_tex(place, most_digits);
  return std::string(letter) + (text.size() == 1 ? "_" + text : "_{" + text + "}");
}
std::string subscripted(std::string_view letter, double place, double second) {
  return std::string(letter) + "_{" + number_tex(place, most_digits) + "," + number_tex(second, most_digits) +
         "}";
}

}  // namespace orrery::study::worked
