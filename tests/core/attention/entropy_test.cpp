// Entropies against closed forms and a published simulation.
#include "core/attention/entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/tensor/random.h"

namespace orrery::attention::entropy_test {
namespace {

TEST(SoftmaxEntropy, IsTheLogarithmOfTheCountForEqualScores) {
  for (const int n : {1, 2, 1000})
    EXPECT_NEAR(softmax_entropy(std::vector<double>(n, 3.5)), std::log(n), 1e-14 * n);
  EXPECT_EQ(softmax_entropy({}), 0);
  EXPECT_EQ(softmax_entropy(std::vector{0.0, -2000.0}), 0);
  const double masked = -std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(softmax_entropy(std::vector{1.0, 1.0, masked}), std::log(2));
  EXPECT_EQ(softmax_entropy(std::vector{masked, masked}), 0);
  EXPECT_DOUBLE_EQ(softmax_entropy(std::vector{1.0, 5.0, masked}, 0), std::log(2));
  // 0 would say that one key has all the weight.
  for (const double odd : {std::nan(""), -masked})
    for (const auto& row : {std::vector{1.0, odd, 2.0}, {odd, 1.0}, {odd, odd}})
      EXPECT_TRUE(std::isnan(softmax_entropy(row)));
  // Two keys, e to 1: −p ln p − (1 − p) ln(1 − p) with p = e/(1 + e).
  const double p = 1 / (1 + std::exp(-1.0));
  EXPECT_NEAR(softmax_entropy(std::vector{0.5, 0.0}, 2), -p * std::log(p) - (1 - p) * std::log(1 - p), 1e-15);
}

TEST(SoftmaxEntropy, OfNormalScoresFollowsTheLaw) {
  // One draw of 65536 scores of deviation 1: Σ e^x is off by √((e − 1)/n) = 0.5 %, and Σ x e^x/Σ e^x by √e/√n = 0.6 %;
  // four times both together.
  const tensor::Random random(9);
  std::vector<double> scores(65536);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = random.normal(i);
  EXPECT_NEAR(softmax_entropy(scores), normal_entropy(65536, 1), 0.045);
  EXPECT_DOUBLE_EQ(normal_entropy(4096, 1), std::log(4096) - 0.5);
  EXPECT_EQ(normal_entropy(4096, 8), 0);
}

TEST(LogitScale, GrowsBeyondTheTrainedLengthOnly) {
  for (const auto remedy :
       {LengthRemedy::none, LengthRemedy::log_n, LengthRemedy::yarn, LengthRemedy::window}) {
    EXPECT_EQ(logit_scale(remedy, 100, 512), 1);
    EXPECT_EQ(logit_scale(remedy, 512, 512), 1);
  }
  EXPECT_DOUBLE_EQ(logit_scale(LengthRemedy::log_n, 262144, 512), 2);
  EXPECT_NEAR(std::sqrt(logit_scale(LengthRemedy::yarn, 4096 * 32, 4096)), 1.34657359, 5e-9);  // published
  EXPECT_EQ(logit_scale(LengthRemedy::window, 4096, 512), 1);
  EXPECT_EQ(logit_scale(LengthRemedy::log_n, 4096, 1), 1);
}

}  // namespace
}  // namespace orrery::attention::entropy_test
