// What ticks say, from integers alone: no double is ever printed.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numbers>
#include <numeric>

#include "app/figure/ticks.h"

namespace orrery::figure {

namespace {

constexpr const char* minus_sign = "\u2212";
constexpr const char* thousands = "\u2009";  // a thin space
constexpr const char* zero = "$0$";          // among formulas: in their face
constexpr int grouped_digits = 5;            // integer digits from which thousands are set apart
constexpr int plain_digits = 7;  // more zeros than this on either side, and a power of ten says it better
constexpr int plain_decimals = 5;

std::vector<std::int64_t> numerators(const TickSet& t) {
  std::vector<std::int64_t> k(std::size_t(std::max(t.count, 0)));
  for (int i = 0; i < t.count; ++i) k[std::size_t(i)] = t.numerator(i);
  return k;
}

std::string math(bool negative, const std::string& tex) {
  std::string out = negative ? "$-" : "$";
  out += tex;
  out += '$';
  return out;
}

std::string group_thousands(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += thousands;
    out += digits[i];
  }
  return out;
}

/// k · 10^−decimals, digit by digit.
std::string fixed(std::int64_t k, int decimals, bool grouped) {
  std::string digits = std::to_string(std::llabs(k));
  if (int(digits.size()) <= decimals) digits.insert(0, std::size_t(decimals) + 1 - digits.size(), '0');
  const std::size_t point = digits.size() - std::size_t(decimals);
  const std::string whole = digits.substr(0, point);
  std::string out = k < 0 ? minus_sign : "";
  out += grouped ? group_thousands(whole) : whole;
  if (decimals > 0) out.append(".").append(digits, point);
  return out;
}

std::vector<std::string> decimal_labels(std::vector<std::int64_t> k, int exp10) {
  std::int64_t largest = 0;
  for (const std::int64_t v : k) largest = std::max<std::int64_t>(largest, std::llabs(v));
  while (largest > 0 && std::all_of(k.begin(), k.end(), [](std::int64_t v) { return v % 10 == 0; })) {
    for (std::int64_t& v : k) v /= 10;
    largest /= 10;
    ++exp10;
  }
  const int digits = int(std::to_string(largest).size());
  const int exponent = digits - 1 + exp10;  // of the largest value
  const bool needs_power = (exponent >= plain_digits && digits < plain_digits) || exponent > 15 ||
                           (-exp10 >= plain_decimals && digits < plain_decimals) || exponent < -15;
  std::vector<std::string> labels;
  if (needs_power) {
    const std::string power_of_ten = " \\times 10^{" + std::to_string(exponent) + "}";
    for (const std::int64_t v : k)
      labels.push_back(v == 0 ? zero : math(v < 0, fixed(std::llabs(v), digits - 1, false) + power_of_ten));
    return labels;
  }
  for (; exp10 > 0; --exp10)
    for (std::int64_t& v : k) v *= 10;
  const bool grouped = exponent + 1 >= grouped_digits;
  for (const std::int64_t v : k)  // zero has no decimals to show
    labels.push_back(v == 0 ? "0" : fixed(v, -exp10, grouped));
  return labels;
}

/// The fraction k·10^exp10/d of π in lowest terms.
std::string pi_label(std::int64_t k, int exp10, std::int64_t d) {
  for (; exp10 > 0; --exp10) k *= 10;
  if (k == 0) return zero;
  const std::int64_t common = std::gcd(k, d);
  k /= common;
  d /= common;
  std::string tex = std::llabs(k) == 1 ? "" : std::to_string(std::llabs(k));
  tex += "\\pi";
  if (d > 1) tex.append("/").append(std::to_string(d));
  return math(k < 0, tex);
}

std::string power(const std::string& base, std::int64_t exponent) {
  return base + "^{" + std::to_string(exponent) + "}";
}

std::string base_name(double base) {
  if (base == std::numbers::e) return "e";
  // As std::to_string has it, but with a point in every locale.
  char digits[400];
  std::string text(digits, std::to_chars(digits, std::end(digits), base, std::chars_format::fixed, 6).ptr);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string number_label(double value) {
  if (value == 0) return "0";
  if (!std::isfinite(value))
    return std::isnan(value) ? "NaN" : value > 0 ? "∞" : std::string(minus_sign) + "∞";
  constexpr int digits = 6;
  int exp10 = int(std::floor(std::log10(std::abs(value)))) - digits + 1;
  auto k = std::int64_t(
      std::llround(exp10 > 0 ? value / std::pow(10.0, exp10)
                             : value * std::pow(10.0, -exp10 / 2) * std::pow(10.0, -exp10 - -exp10 / 2)));
  for (; k % 10 == 0; k /= 10) ++exp10;
  return decimal_labels({k}, exp10).front();
}

std::vector<std::string> tick_labels(const TickSet& ticks) {
  const std::vector<std::int64_t> k = numerators(ticks);
  std::vector<std::string> labels;
  switch (ticks.scale.kind()) {
    case Scale::Kind::log:
      for (const std::int64_t v : k) labels.push_back(math(false, power(base_name(ticks.scale.base()), v)));
      return labels;
    case Scale::Kind::symlog:
      for (const std::int64_t v : k)
        labels.push_back(v == 0 ? zero : math(v < 0, power("10", ticks.exp10 + std::llabs(v) - 1)));
      return labels;
    case Scale::Kind::linear:
      break;
  }
  if (ticks.unit == 1) return decimal_labels(k, ticks.exp10);
  if (ticks.unit == degree) {
    labels = decimal_labels(k, ticks.exp10);
    for (std::string& label : labels) label += "°";
    return labels;
  }
  const auto denominator = std::max<std::int64_t>(1, std::llround(std::numbers::pi / ticks.unit));
  for (const std::int64_t v : k) labels.push_back(pi_label(v, ticks.exp10, denominator));
  return labels;
}

}  // namespace orrery::figure
