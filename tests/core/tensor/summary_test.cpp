#include "core/tensor/summary.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace orrery::tensor::summary_test {
namespace {

Summary of(const std::vector<double>& values, std::size_t block = 512) {
  Summary s;
  for (std::size_t i = 0; i < values.size(); i += block)
    s.add(std::span(values).subspan(i, std::min(block, values.size() - i)));
  return s;
}

TEST(SummaryTest, OfNothingIsNothing) {
  const Summary s = of({});
  EXPECT_TRUE(std::isnan(s.min()) && std::isnan(s.max()) && std::isnan(s.mean()));
  EXPECT_TRUE(std::isnan(of({NAN, INFINITY}).mean()));
}

TEST(SummaryTest, WhatIsNotFiniteIsCounted) {
  const Summary s = of({3, NAN, -1, INFINITY, -INFINITY, 4});
  EXPECT_EQ(s.min(), -1);
  EXPECT_EQ(s.max(), 4);
  EXPECT_EQ(s.mean(), 2);
  EXPECT_EQ(s.nan(), 1);
  EXPECT_EQ(s.infinite(), 2);
}

TEST(SummaryTest, SmallNumbersAreNotLostBesideLargeOnes) {
  std::vector<double> values(100001, 1.0);
  values.front() = 1e17;
  values.back() = -1e17;
  EXPECT_EQ(of(values).mean(), 99999.0 / 100001.0);
  EXPECT_EQ(of(values, 2048).mean(), of(values).mean());
}

TEST(SummaryTest, TenthsAddUp) {
  const std::vector<double> tenths(1000000, 0.1);
  EXPECT_EQ(of(tenths).mean(), 0.1);
}

TEST(SummaryTest, TheLargestNumbersHaveAMean) {
  constexpr double huge = std::numeric_limits<double>::max();
  EXPECT_DOUBLE_EQ(of(std::vector<double>(10000, huge)).mean(), huge);
  EXPECT_EQ(of({huge, huge, -huge, -huge}).mean(), 0);
}

}  // namespace
}  // namespace orrery::tensor::summary_test
