// The limits of a machine are numbers that arithmetic can be done with; what they are is nobody's to know here.
#include "core/bench/limits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/tensor/error.h"

namespace orrery::bench::limits_test {
namespace {

TEST(Limits, AreMeasuredInRoundsThatCanBeLeft) {
  int samples = 0;
  const Limits limits = measure_limits([&] { ++samples; });
  EXPECT_EQ(samples, limit_samples);
  // No machine that runs this copies slower than a tape or faster than a thousand channels of memory.
  EXPECT_GT(limits.gigabytes, 0.01);
  EXPECT_LT(limits.gigabytes, 1e5);
  EXPECT_GT(limits.gigaflops, 0.01);
  EXPECT_LT(limits.gigaflops, 1e6);
  EXPECT_THROW(measure_limits([] { throw Cancelled(); }), Cancelled);
}

}  // namespace
}  // namespace orrery::bench::limits_test
