// What is said of a stretch of distances, against the sums of every one of them.
#include "core/position/rope_envelope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "core/position/rope_decay.h"
#include "core/position/rope_frequencies.h"

namespace orrery::position::rope_envelope_test {
namespace {

using tensor::Index;

/// Of 18 pairs: four do not divide them.
std::vector<double> frequencies() {
  RopeRule rule;
  rule.rotary_dim = 36;
  rule.base = 500;
  return rope_frequencies(rule).inv_freq;
}

// A block of waves ends at 1024, and one stretch is a single distance.
const std::vector<Index> from{0, 1, 2, 7, 300, 1100, 1101, 5000};

// A wave loses at most 128² 2^-53 < 2e-12 until it is formed anew; there are 18.
constexpr double bound = 4e-11;

void expect_to_hold_every_distance(const Envelope& e, const std::function<double(double)>& sum_at) {
  ASSERT_EQ(e.mean.size(), from.size() - 1);
  for (std::size_t i = 0; i + 1 < from.size(); ++i) {
    double lowest = 1e9, highest = -1e9, sum = 0;
    for (Index m = from[i]; m < from[i + 1]; ++m) {
      const double one = sum_at(static_cast<double>(m));
      lowest = std::min(lowest, one);
      highest = std::max(highest, one);
      sum += one;
    }
    EXPECT_NEAR(e.lowest[i], lowest, bound) << from[i];
    EXPECT_NEAR(e.highest[i], highest, bound) << from[i];
    EXPECT_NEAR(e.mean[i], sum / static_cast<double>(from[i + 1] - from[i]), bound) << from[i];
  }
}

TEST(RopeEnvelope, OfTheSimilarity) {
  const std::vector<double> theta = frequencies();
  expect_to_hold_every_distance(similarity_envelope(theta, from),
                                [&](double m) { return similarity(theta, m); });
}

TEST(RopeEnvelope, OfThePartialSums) {
  const std::vector<double> theta = frequencies();
  expect_to_hold_every_distance(partial_sum_envelope(theta, from),
                                [&](double m) { return mean_partial_sum(theta, m); });
}

// With weights and phases; and the sum of exponentials that a softmax divides by.
TEST(RopeEnvelope, OfScoresAndTheirWeights) {
  const std::vector<double> theta = frequencies();
  std::vector<std::complex<double>> h;
  double all = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    h.push_back(std::polar(0.2 + 0.1 * static_cast<double>(i % 5), 0.7 * static_cast<double>(i)));
    all += std::abs(h.back());
  }
  const double scale = 1.5;
  const auto score = [&](double m) { return scale * score_at(h, theta, m); };
  const ScoreEnvelope s = score_envelope(h, theta, scale, from);
  expect_to_hold_every_distance(s, score);
  for (std::size_t i = 0; i + 1 < from.size(); ++i) {
    double weight = 0;
    for (Index m = from[i]; m < from[i + 1]; ++m)
      weight += std::exp(score(static_cast<double>(m)) - scale * all);
    EXPECT_NEAR(s.weight[i] / weight, 1, 1e-9) << from[i];
  }
}

TEST(RopeEnvelope, OfNothing) {
  EXPECT_TRUE(similarity_envelope(frequencies(), {}).mean.empty());
  const Envelope none = partial_sum_envelope({}, from);
  EXPECT_EQ(none.mean, std::vector<double>(from.size() - 1, 0.0));
  EXPECT_EQ(none.highest, none.mean);
}

}  // namespace
}  // namespace orrery::position::rope_envelope_test
