// AdamW beside PyTorch's, and what a direction can be at most.
#include "core/training/adam_w.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/tensor/random.h"
#include "tests/core/training/numbers.h"

namespace orrery::training {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Weights lie near 1, and each step rounds a few times: some 2^-53 a step, beside PyTorch's own.
void expect_steps(const char* name, bool decoupled) {
  const auto numbers = numbers_of_pytorch();
  auto weights = numbers["start"].get<std::vector<double>>();
  const auto rates = numbers["rates"].get<std::vector<double>>();
  const auto gradients = numbers["gradients"].get<Rows>(), expected = numbers[name].get<Rows>();
  AdamW<double> adam({.beta1 = numbers["beta1"],
                      .beta2 = numbers["beta2"],
                      .eps = numbers["eps"],
                      .decay = numbers["decay"],
                      .decoupled = decoupled},
                     weights.size());
  for (std::size_t t = 0; t < rates.size(); ++t) {
    adam.step(weights, gradients[t], rates[t]);
    for (std::size_t i = 0; i < weights.size(); ++i)
      EXPECT_NEAR(weights[i], expected[t][i], 1e-14) << name << " step " << t + 1 << " parameter " << i;
  }
}

TEST(AdamW, StepsArePyTorchs) {
  expect_steps("adam_w", true);
}

TEST(AdamW, DecayInTheGradientIsPyTorchsAdam) {
  expect_steps("adam_l2", false);
}

TEST(AdamW, ResumedFromItsMomentsGoesOnAsIfNothingHadBeen) {
  const tensor::Random random(3);
  std::vector<float> whole(50), parts(50), gradient(50);
  AdamW<float> one({}, 50), two({}, 50);
  for (int t = 0; t < 10; ++t) {
    for (std::size_t i = 0; i < 50; ++i) gradient[i] = float(random.normal(50 * std::uint64_t(t) + i));
    one.step(whole, gradient, 0.1);
    if (t == 5) {
      AdamW<float> resumed({}, 50);
      std::ranges::copy(two.first_moment(), resumed.first_moment().begin());
      std::ranges::copy(two.second_moment(), resumed.second_moment().begin());
      resumed.resume_after(two.steps());
      two = resumed;
    }
    two.step(parts, gradient, 0.1);
  }
  EXPECT_EQ(whole, parts);
}

// The gradients for which Cauchy–Schwarz is an equality: gᵢ as aᵢ/bᵢ is.
TEST(AdamW, LargestDirectionIsReachedAndNotPassed) {
  for (const bool corrected : {true, false})
    for (const auto& [beta1, beta2] : {std::pair(0.9, 0.999), {0.9, 0.95}, {0.5, 0.25}, {0.0, 0.9}})
      for (const int steps : {1, 2, 7, 60}) {
        const AdamSettings settings{.beta1 = beta1, .beta2 = beta2, .eps = 0, .corrected = corrected};
        const double most = largest_direction(settings, steps);
        const auto moved = [&](const auto& gradient_at) {
          AdamW<double> adam(settings, 1);
          std::vector<double> w{0}, before{0}, g(1);
          for (int t = 1; t <= steps; ++t) {
            before = w;
            g[0] = gradient_at(steps - t);
            adam.step(w, g, 1);
          }
          return std::abs(w[0] - before[0]);
        };
        const double reached = beta1 > 0 ? moved([&](int ago) { return std::pow(beta1 / beta2, ago); })
                                         : moved([](int ago) { return ago == 0 ? 1 : 0x1p-300; });
        // Weights of up to 60 steps of about 1: their difference keeps 2^-53 of their sum.
        EXPECT_NEAR(reached, most, 1e-13 * most * steps) << beta1 << " " << beta2 << " step " << steps;
        const tensor::Random random{std::uint64_t(steps)};
        EXPECT_LE(moved([&](int ago) { return random.normal(std::uint64_t(ago)); }), most * (1 + 1e-12));
      }
  EXPECT_EQ(largest_direction({}, 1), 1);
  // Without memory of squares a direction is 1 as long as nothing older is in the mean, and has no end where something is.
  for (const double beta1 : {0.0, 0.9}) {
    EXPECT_EQ(largest_direction({.beta1 = beta1, .beta2 = 0}, 1), 1);
    EXPECT_EQ(largest_direction({.beta1 = beta1, .beta2 = 0}, 2), beta1 == 0 ? 1 : INFINITY);
    EXPECT_EQ(largest_direction({.beta1 = beta1, .beta2 = 0, .corrected = false}, 1), 1 - beta1);
  }
}

TEST(AdamW, OfOtherNumbersOfParametersIsRefused) {
  AdamW<double> adam({}, 3);
  std::vector<double> w(3), g(2);
  EXPECT_THROW(adam.step(w, g, 0.1), std::logic_error);
}

}  // namespace
}  // namespace orrery::training
