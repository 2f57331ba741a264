#include "core/activation/normal_tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace orrery::activation {
namespace {

TEST(NormalTail, IsWithinItsErrorOfTheLibrarysErfc) {
  double worst = 0;
  for (double a = 0; a <= 20; a += 1e-3)
    worst = std::max(worst, std::abs(normal_tail(a) / (std::erfc(a / std::sqrt(2)) / 2) - 1));
  EXPECT_LT(worst, 0x1p-42);
  // The bound is not far off: a digit more in any coefficient would be seen.
  EXPECT_GT(worst, 0x1p-44);
}

}  // namespace
}  // namespace orrery::activation
