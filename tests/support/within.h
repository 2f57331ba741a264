// Assertions on a Comparison, and the worst that a test saw, printed when all is well too.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "tests/support/compare.h"

namespace orrery::support {

/// For EXPECT_TRUE: says the whole comparison when it fails.
inline testing::AssertionResult within(const Comparison& c) {
  return (c.within ? testing::AssertionSuccess() : testing::AssertionFailure()) << c.text();
}

/// Keeps the comparison that used most of its bound and prints it at the end.
class Worst {
 public:
  explicit Worst(std::string what) : what_(std::move(what)) {}
  Worst(const Worst&) = delete;
  ~Worst() { std::printf("  worst of %s: %s: %s\n", what_.c_str(), where_.c_str(), worst_.text().c_str()); }

  /// Expects `c` within its bound.
  void expect(const Comparison& c, const std::string& where) {
    EXPECT_TRUE(within(c)) << what_ << ", " << where;
    if (where_.empty() || c.used > worst_.used) {
      worst_ = c;
      where_ = where;
    }
  }

 private:
  std::string what_, where_;
  Comparison worst_;
};

/// Two doubles that agree to `rel` of the larger.
inline testing::AssertionResult close(double a, double b, double rel) {
  const double scale = std::max(std::abs(a), std::abs(b));
  if (std::abs(a - b) <= rel * scale) return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << " and " << b << " differ by " << std::abs(a - b) / scale
                                     << " of " << scale << ", allowed " << rel;
}

}  // namespace orrery::support
