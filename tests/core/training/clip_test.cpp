// A gradient made shorter, beside PyTorch's.
#include "core/training/clip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/training/numbers.h"

namespace orrery::training {
namespace {

TEST(Clip, IsPyTorchsButForItsSmallAddition) {
  const auto numbers = numbers_of_pytorch();
  auto gradient = numbers["unclipped"].get<std::vector<double>>();
  const auto expected = numbers["clipped_to_half"].get<std::vector<double>>();
  const double norm = clip(std::span(gradient), 0.5);
  EXPECT_NEAR(norm, numbers["norm"].get<double>(), 1e-15 * norm);
  for (std::size_t i = 0; i < gradient.size(); ++i)
    EXPECT_NEAR(gradient[i], expected[i] * (norm + 1e-6) / norm, 1e-15);
  EXPECT_NEAR(norm_of(std::span<const double>(gradient)), 0.5, 1e-15);
}

TEST(Clip, LeavesAShortOneAndOneThatIsNoNumber) {
  std::vector<float> gradient{3, 4};
  EXPECT_EQ(clip(std::span(gradient), 5.0), 5);
  EXPECT_EQ(gradient, (std::vector<float>{3, 4}));
  gradient[0] = INFINITY;
  EXPECT_EQ(clip(std::span(gradient), 1.0), INFINITY);
  EXPECT_EQ(gradient[1], 4);
}

}  // namespace
}  // namespace orrery::training
