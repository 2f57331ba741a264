// The numbers beside the tests are NumPy's (histogram, unique, argmax, linalg.norm) and mpmath's with 40 digits (deviation,
// norm) for x_i = (2654435761 i mod 2^32) / 2^31 − 1, i below 100003.
#include "core/tensor/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace orrery::tensor::statistics_test {
namespace {

std::vector<double> samples(double scale = 1, double shift = 0) {
  std::vector<double> x(100003);
  for (std::uint64_t i = 0; i < x.size(); ++i)
    x[i] = (static_cast<double>(i * 2654435761u % 4294967296u) / 2147483648.0 - 1) * scale + shift;
  return x;
}

Statistics of(const std::vector<double>& values, std::size_t block = 32768) {
  Statistics s;
  for (std::size_t i = 0; i < values.size(); i += block)
    s.add(std::span(values).subspan(i, std::min(block, values.size() - i)));
  return s;
}

double apart(double found, double right) {
  return std::abs(found - right) / std::abs(right);
}

TEST(StatisticsTest, DeviationAndNormAreMpmaths) {
  const Statistics plain = of(samples()), shifted = of(samples(1, 1000));
  EXPECT_LT(apart(plain.deviation(), 0.57735344621876957877), 1e-14);
  EXPECT_LT(apart(plain.norm(), 182.57792911652969966), 1e-13);
  EXPECT_LT(apart(plain.mean(), -5.836003417308791409e-6), 1e-15);
  EXPECT_LT(apart(shifted.deviation(), 0.57735344621876957877), 1e-12);
  EXPECT_LT(apart(shifted.norm(), 316232.56025821329235), 1e-13);
  EXPECT_EQ(plain.count(), 100003);
  EXPECT_EQ(plain.farthest(), -1);
  EXPECT_EQ(plain.farthest_at(), 0);
}

TEST(StatisticsTest, NeitherHugeNorTinyNumbersAreLost) {
  for (const double scale : {0x1p1000, 0x1p-1000, 0x1p-1050}) {
    const Statistics s = of(samples(scale));
    const double coarse = scale < 0x1p-1022 ? 1e-6 : 1e-13;  // subnormal inputs have fewer digits themselves
    EXPECT_LT(apart(s.deviation() / scale, 0.57735344621876957877), coarse) << scale;
    EXPECT_LT(apart(s.norm() / scale, 182.57792911652969966), coarse) << scale;
  }
  // From tiny to huge within one tensor.
  const Statistics s = of({0x1p-1000, 3 * 0x1p900, 4 * 0x1p900});
  EXPECT_LT(apart(s.norm() * 0x1p-900, 5), 1e-15);
}

TEST(StatisticsTest, TheHistogramIsNumPysForItsEdges) {
  const DyadicHistogram h = of(samples()).histogram();
  EXPECT_EQ(h.width(), 0x1p-7);
  EXPECT_EQ(h.low(), -1);
  ASSERT_EQ(h.counts().size(), 256u);
  const std::vector<std::int64_t> first(h.counts().begin(), h.counts().begin() + 6),
      last(h.counts().end() - 6, h.counts().end());
  EXPECT_EQ(first, (std::vector<std::int64_t>{391, 391, 390, 390, 392, 390}));
  EXPECT_EQ(last, (std::vector<std::int64_t>{390, 392, 389, 393, 389, 391}));
}

TEST(StatisticsTest, TheHistogramIsTheSameForEveryOrder) {
  const auto same = [](const std::vector<double>& x) {
    std::vector<double> up = x, down = x;
    std::ranges::sort(up);
    std::ranges::sort(down, std::greater());
    const DyadicHistogram a = of(x).histogram();
    for (const auto* other : {&up, &down}) {
      const DyadicHistogram b = of(*other, 512).histogram();
      EXPECT_EQ(a.width(), b.width());
      EXPECT_EQ(a.low(), b.low());
      EXPECT_TRUE(std::ranges::equal(a.counts(), b.counts()));
    }
    EXPECT_EQ(std::accumulate(a.counts().begin(), a.counts().end(), std::int64_t{0}),
              static_cast<std::int64_t>(x.size()));
    EXPECT_LE(a.counts().size(), DyadicHistogram::most_bins);
  };
  std::vector<double> wide = samples();
  for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = std::ldexp(wide[i], static_cast<int>(i % 61) - 30);
  same(wide);
  same(samples(1e-3, 1));  // a gain: all near 1
  same(std::vector<double>(1000, 0));
  same({5e-324, -5e-324, 0, 1e308, -1e308, std::numeric_limits<double>::max()});
  same({1e308, 1e308, 1e308});
  same({-5e-324, 5e-324, 0, -0.0});
}

TEST(StatisticsTest, ANarrowRangeHasAllItsBins) {
  const DyadicHistogram h = of(samples(1e-3, 1)).histogram();
  EXPECT_GT(h.counts().size(), 128u);
  EXPECT_LE(h.low(), 0.999);
  EXPECT_GT(h.low() + h.width(), 0.999);
}

TEST(StatisticsTest, ANegativeNumberThatVanishesBesideABinIsStillBelowZero) {
  const DyadicHistogram h = of({-5e-324, 1000}).histogram();
  EXPECT_EQ(h.low(), -h.width());
  EXPECT_EQ(h.counts().front(), 1);
  EXPECT_EQ(h.counts()[1], 0);
}

TEST(StatisticsTest, MagnitudesAreCountedBySign) {
  std::vector<double> cubes = samples();
  for (double& x : cubes) x = x * x * x;
  const auto counts = of(cubes).magnitudes();
  ASSERT_EQ(counts.front().exponent, -49);
  ASSERT_EQ(counts.back(), (MagnitudeCount{0, 1, 0}));
  const auto at = [&](int exponent) { return counts[static_cast<std::size_t>(exponent + 49)]; };
  EXPECT_EQ(at(-1), (MagnitudeCount{-1, 10316, 10314}));
  EXPECT_EQ(at(-20), (MagnitudeCount{-20, 126, 129}));
  EXPECT_EQ(at(-46), (MagnitudeCount{-46, 2, 0}));
  EXPECT_EQ(at(-45), (MagnitudeCount{-45, 0, 0}));
  EXPECT_EQ(of({5e-324, -0x1p-1023}).magnitudes().front().exponent, -1074);
}

TEST(StatisticsTest, WhatIsNotFiniteIsLeftOutAndCounted) {
  const Statistics s = of({3, NAN, -4, INFINITY, 0, -0.0, -INFINITY});
  EXPECT_EQ(s.count(), 7);
  EXPECT_EQ(s.finite(), 4);
  EXPECT_EQ(s.nan(), 1);
  EXPECT_EQ(s.infinite(), 2);
  EXPECT_EQ(s.zeros(), 2);
  EXPECT_EQ(s.norm(), 5);
  EXPECT_EQ(s.farthest(), -4);
  EXPECT_EQ(s.farthest_at(), 2);
  const Statistics none = of({NAN});
  EXPECT_TRUE(std::isnan(none.deviation()) && std::isnan(none.norm()));
  EXPECT_TRUE(none.histogram().empty() && none.magnitudes().empty());
  EXPECT_EQ(none.farthest_at(), -1);
}

TEST(LargestRowsTest, AreThoseOfNumPy) {
  const std::vector<double> x = samples();
  LargestRows rows(100, 3);
  for (std::size_t i = 0; i < 100000; i += 777)
    rows.add(std::span(x).subspan(i, std::min<std::size_t>(777, 100000 - i)));
  ASSERT_EQ(rows.rows().size(), 3u);
  const std::int64_t places[] = {0, 234, 412};
  const double norms[] = {5.803153867055809, 5.803047529870909, 5.8030274941797035};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows.rows()[i].row, places[i]);
    EXPECT_LT(apart(rows.rows()[i].norm, norms[i]), 1e-14);
  }
}

// A tiny number first, then one whose square is a number: in one unit neither overflows nor vanishes.
TEST(LargestRowsTest, ARowIsSummedInAnyPieces) {
  LargestRows rows(2);
  rows.add(std::vector{1e-200});
  rows.add(std::vector{1.0});
  ASSERT_EQ(rows.rows().size(), 1u);
  EXPECT_EQ(rows.rows()[0].norm, 1);
}

// The largest doubles, as masks are filled with them: the edges are numbers.
TEST(DyadicHistogramTest, EdgesAreFinite) {
  constexpr double largest = std::numeric_limits<double>::max();
  Statistics s;
  s.add(std::vector{-largest, 0.0, largest});
  const DyadicHistogram& h = s.histogram();
  EXPECT_EQ(h.low(), -largest);
  EXPECT_EQ(h.edge(h.counts().size()), largest);
}

// A mask of −∞ with a number here and there: as fast as any other row, and each number where it stands.
TEST(StatisticsTest, NumbersBetweenInfinitiesKeepTheirPlaces) {
  std::vector<double> row(5000, -std::numeric_limits<double>::infinity());
  row[3] = 1;
  row[4999] = -2;
  Statistics s;
  s.add(row);
  EXPECT_EQ(s.finite(), 2);
  EXPECT_EQ(s.infinite(), 4998);
  EXPECT_EQ(s.farthest(), -2);
  EXPECT_EQ(s.farthest_at(), 4999);
  EXPECT_EQ(s.mean(), -0.5);
}

TEST(LargestRowsTest, ARowThatIsNotFiniteIsNoneOfThem) {
  LargestRows rows(2, 5);
  rows.add(std::vector<double>{3e300, 4e300, NAN, 1, 0, 0, 1, INFINITY, 3e-300, 4e-300});
  ASSERT_EQ(rows.rows().size(), 3u);
  EXPECT_DOUBLE_EQ(rows.rows()[0].norm, 5e300);
  EXPECT_EQ(rows.rows()[1].row, 4);
  EXPECT_DOUBLE_EQ(rows.rows()[1].norm, 5e-300);
  EXPECT_EQ(rows.rows()[2], (LargestRows::Row{2, 0}));
}

}  // namespace
}  // namespace orrery::tensor::statistics_test
