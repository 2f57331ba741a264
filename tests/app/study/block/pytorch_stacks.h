// What tests/reference/placement.py has measured, and samples beside it.
#pragma once

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/source.h"

namespace orrery::study {

/// A mean of so many, and the deviation of one.
struct Sample {
  double mean = 0, deviation = 0, count = 0;

  Sample(double m, double d, double n) : mean(m), deviation(d), count(n) {}
  explicit Sample(const std::vector<double>& values) : count(static_cast<double>(values.size())) {
    for (const double x : values) mean += x / count;
    for (const double x : values) deviation += (x - mean) * (x - mean) / (count - 1);
    deviation = std::sqrt(deviation);
  }
  double error() const { return deviation / std::sqrt(count); }
  /// How many standard errors of the difference its mean is from another's; the deviation of one is the larger of both, for
  /// that of a few is itself uncertain.
  double errors_apart(const std::vector<double>& values) const {
    const Sample other(values);
    const double of_one = std::max(deviation, other.deviation);
    return std::abs(mean - other.mean) / (of_one * std::sqrt(1 / count + 1 / other.count));
  }
};

inline Sample of_pytorch(std::string_view place, int depth, const char* what) {
  static const nlohmann::json all =
      nlohmann::json::parse(std::ifstream(support::source("tests/reference/placement.json")));
  const auto& found = all.at(std::string(place) + " " + std::to_string(depth)).at(what);
  return {found.at(0), found.at(1), all.at("seeds")};
}

}  // namespace orrery::study
