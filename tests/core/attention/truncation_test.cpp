#include "core/attention/truncation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/tensor/error.h"
#include "tests/support/inputs.h"

namespace orrery::attention::truncation_test {
namespace {

using tensor::Index;
using tensor::Matrix;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix<double> row_of(const std::vector<double>& values) {
  Matrix<double> m(1, std::ssize(values));
  std::ranges::copy(values, m.data());
  return m;
}

/// Which of a row are kept, as "#.#": the same by ref and by cpu in both scalars.
template <class Rule>
std::string kept(const std::vector<double>& values, const Rule& rule) {
  const Matrix<double> x = row_of(values);
  const Matrix<float> floats = x.cast<float>();
  Matrix<double> ref(1, x.cols()), cpu(1, x.cols());
  Matrix<float> in_float(1, x.cols());
  truncate_ref(x, rule, ref);
  truncate_cpu<double>(x, rule, cpu);
  truncate_cpu<float>(floats, rule, in_float);
  std::string text;
  for (Index j = 0; j < x.cols(); ++j) {
    EXPECT_TRUE(ref(0, j) == x(0, j) || ref(0, j) == -infinity);
    EXPECT_EQ(ref(0, j), cpu(0, j)) << j;
    EXPECT_EQ(floats(0, j) == in_float(0, j), ref(0, j) == x(0, j)) << j;
    text += ref(0, j) == x(0, j) ? '#' : '.';
  }
  return text;
}

std::vector<double> logits_of(std::vector<double> probabilities) {
  for (double& p : probabilities) p = std::log(p);
  return probabilities;
}

TEST(Truncation, TopKTakesTheLargestAndOfEqualOnesTheFirst) {
  EXPECT_EQ(kept({1, 3, 2, 5, 4}, TopK{2}), "...##");
  EXPECT_EQ(kept({1, 1, 1, 1}, TopK{3}), "###.");
  EXPECT_EQ(kept({0, 2, 1, 2, 2, 1}, TopK{2}), ".#.#..");
  EXPECT_EQ(kept({0.0, -0.0, 0.0}, TopK{2}), "##.");
  EXPECT_EQ(kept({1, 2}, TopK{1'000'000}), "##");
}

TEST(Truncation, TopPKeepsTheOneThatCrossesAndAtLeastOne) {
  const std::vector<double> x = logits_of({0.1, 0.4, 0.2, 0.3});
  EXPECT_EQ(kept(x, TopP{0.05}), ".#..");
  EXPECT_EQ(kept(x, TopP{0.41}), ".#.#");
  EXPECT_EQ(kept(x, TopP{0.89}), ".###");
  EXPECT_EQ(kept(x, TopP{0.91}), "####");
  EXPECT_EQ(kept(x, TopP{1}), "####");
  EXPECT_EQ(kept(x, TopP{1e-300}), ".#..");
}

// 0.4 + 0.3, nine tenths by tens, a third by three: sums that doubles reach or miss by a rounding.
TEST(Truncation, TopPMeetsRoundNumbers) {
  const std::vector<double> x = logits_of({0.1, 0.4, 0.2, 0.3});
  EXPECT_EQ(kept(x, TopP{0.4}), ".#..");
  EXPECT_EQ(kept(x, TopP{0.7}), ".#.#");
  EXPECT_EQ(kept(x, TopP{0.9}), ".###");
  for (int n = 1; n <= 40; ++n)
    for (int m = 1; m <= n; ++m)
      EXPECT_EQ(
          kept(std::vector<double>(static_cast<std::size_t>(n), -1.7), TopP{double(m) / n}),
          std::string(static_cast<std::size_t>(m), '#') + std::string(static_cast<std::size_t>(n - m), '.'));
}

TEST(Truncation, TopPNearOneCutsTheTailAlone) {
  // 1 − 2⁻³⁰ of the whole: two of these three tails may go, by their size beside 2⁻³⁰.
  const std::vector<double> x{0, std::log(0x1p-32), std::log(0x1p-31), std::log(0x1p-33)};
  EXPECT_EQ(kept(x, TopP{1 - 0x1p-31}), "#.#.");
  EXPECT_EQ(kept(x, TopP{1 - 0x1p-29}), "#...");
  EXPECT_EQ(kept(x, TopP{1 - 0x1p-34}), "####");
}

TEST(Truncation, MinPComparesWithTheLikeliest) {
  const std::vector<double> x = logits_of({0.1, 0.4, 0.2, 0.3});
  EXPECT_EQ(kept(x, MinP{0.76}), ".#..");
  EXPECT_EQ(kept(x, MinP{0.75}), ".#.#");
  EXPECT_EQ(kept(x, MinP{0.5}), ".###");
  EXPECT_EQ(kept(x, MinP{0.25}), "####");
  EXPECT_EQ(kept({2, 2, 1, 2}, MinP{1}), "##.#");
}

TEST(Truncation, TemperatureMakesProbabilitiesMoreAlike) {
  const std::vector<double> x = logits_of({0.1, 0.4, 0.2, 0.3});
  EXPECT_EQ(kept(x, TopP{0.7, 100}), ".###");
  EXPECT_EQ(kept(x, TopP{0.7, 0.1}), ".#..");
  EXPECT_EQ(kept(x, MinP{0.5, 2}), "####");    // √(1/4)
  EXPECT_EQ(kept(x, MinP{0.5, 0.5}), ".#.#");  // (3/4)², (1/2)²
}

TEST(Truncation, WhatIsInfiniteAndWhatIsNone) {
  EXPECT_EQ(kept({1, infinity, 2, infinity}, TopP{0.5}), ".#..");
  EXPECT_EQ(kept({1, infinity, 2, infinity}, MinP{0.5}), ".#.#");
  EXPECT_EQ(kept({-infinity, 1, -infinity}, TopK{2}), "###");  // −∞ stays itself, kept or not
  EXPECT_EQ(kept({-infinity, 1, -infinity}, TopP{0.99}), "###");
  EXPECT_EQ(kept({-infinity, -infinity}, MinP{0.5}), "##");
  Matrix<double> x(3, 4), y(3, 4);
  x.setOnes();
  x(1, 2) = nan;
  const auto only_the_second = [&] {
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 4; ++j) EXPECT_EQ(std::isnan(y(i, j)), i == 1);
  };
  truncate_ref(x, TopK{2}, y), only_the_second();
  truncate_cpu<double>(x, TopK{2}, y), only_the_second();
  truncate_cpu<double>(x, TopP{}, y), only_the_second();
  truncate_ref(x, MinP{}, y), only_the_second();
  truncate_cpu<double>(x, MinP{}, y), only_the_second();
}

TEST(Truncation, MayWriteOverItsInput) {
  const Matrix<double> x = support::normal_floats(20, 300);
  Matrix<double> own = x, other(x.rows(), x.cols());
  truncate_cpu<double>(own, TopP{0.8}, own);
  truncate_cpu<double>(x, TopP{0.8}, other);
  EXPECT_EQ(own, other);
  EXPECT_GT((own.array() == -infinity).count(), 0);
}

std::string refusal(auto rule) {
  Matrix<double> x(1, 2);
  x.setZero();
  try {
    truncate_cpu<double>(x, rule, x);
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Truncation, RefusesWhatKeepsNothing) {
  EXPECT_EQ(refusal(TopK{0}), "k: found 0; allowed: 1 or more");
  EXPECT_EQ(refusal(TopP{0}), "p: found 0.000000; allowed: above 0, up to 1");
  EXPECT_EQ(refusal(TopP{1.5}), "p: found 1.500000; allowed: above 0, up to 1");
  EXPECT_EQ(refusal(TopP{nan}), "p: found nan; allowed: above 0, up to 1");
  EXPECT_EQ(refusal(TopP{0.5, 0}), "temperature: found 0.000000; allowed: above 0");
  EXPECT_EQ(refusal(MinP{-1}), "min_p: found -1.000000; allowed: above 0, up to 1");
}

}  // namespace
}  // namespace orrery::attention::truncation_test
