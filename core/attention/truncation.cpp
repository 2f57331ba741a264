#include "core/attention/truncation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "core/tensor/error.h"

namespace orrery::attention {

namespace {

constexpr double tolerance = 0x1p-20;

void check_probability(std::string_view name, double p) {
  if (p > 0 && p <= 1) return;
  throw InvalidArgument(about(name).found(std::to_string(p)).allowed("above {}, up to {}", 0, 1));
}

void check_temperature(double temperature) {
  if (temperature > 0) return;
  throw InvalidArgument(about("temperature").found(std::to_string(temperature)).allowed("above {}", 0));
}

}  // namespace

void check_truncation(const TopK& rule) {
  if (rule.k < 1) throw InvalidArgument(about("k").found(rule.k).allowed("{} or more", 1));
}

void check_truncation(const TopP& rule) {
  check_probability("p", rule.p);
  check_temperature(rule.temperature);
}

void check_truncation(const MinP& rule) {
  check_probability("min_p", rule.p);
  check_temperature(rule.temperature);
}

double may_be_cut(const TopP& rule) {
  return 1 - rule.p + tolerance * std::min(rule.p, 1 - rule.p);
}

double least_difference(const MinP& rule) {
  return rule.temperature * (std::log(rule.p) - tolerance);
}

}  // namespace orrery::attention
