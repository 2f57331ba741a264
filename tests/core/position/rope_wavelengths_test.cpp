#include "core/position/rope_wavelengths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/position/rope.h"
#include "core/position/rope_coverage.h"

namespace orrery::position::rope_wavelengths_test {
namespace {

using tensor::Format;

TEST(Wavelengths, OfAPairAndOfOneThatStandsStill) {
  EXPECT_EQ(rope_wavelength(1), 2 * std::numbers::pi);
  EXPECT_TRUE(std::isinf(rope_wavelength(0)));
  EXPECT_EQ(pairs_that_come_round(std::vector<double>{1, 0.1, 0}, 20), 1);
  EXPECT_EQ(pairs_that_come_round(std::vector<double>{1, 0.1, 0}, 63), 2);
}

TEST(CriticalDimension, CountsThePairsThatComeRound) {
  for (const double base : {500.0, 1e4, 5e5, 1e6})
    for (const double length : {1.0, 7.0, 100.0, 4096.0, 1e9})
      EXPECT_EQ(critical_dimension(128, base, length),
                2 * pairs_that_come_round(rope_default_frequencies(128, base), length))
          << base << " " << length;
}

TEST(RopeCache, IsAsLargeAsItsNumbers) {
  // Llama 3.1: 131072 positions × 64 pairs × (cos, sin) × 4 bytes = 64 MiB; both halves kept: 128 MiB.
  EXPECT_EQ(rope_cache_bytes(131072, 64, false, Format::f32), 64.0 * 1024 * 1024);
  EXPECT_EQ(rope_cache_bytes(131072, 64, true, Format::f32), 128.0 * 1024 * 1024);
  EXPECT_EQ(rope_cache_bytes(131072, 64, true, Format::bf16), 64.0 * 1024 * 1024);
}

}  // namespace
}  // namespace orrery::position::rope_wavelengths_test
