// Scores of long texts: what is said of blocks, beside all of their cells; and one outlier among a million million.
#include "core/attention/score_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/simd/product.h"
#include "core/tensor/random.h"

namespace orrery::attention::score_map_test {
namespace {

using Shared = ScoreContent::Shared;

ScoreContent content_of(Index tokens, Shared shared, bool turned, Index width = 32) {
  ScoreContent c;
  c.shared = shared;
  c.tokens = tokens;
  c.width = width;
  c.strength = 0.6;
  c.noise = 0.9;
  if (turned) c.base = 10000;
  c.scale = 1 / std::sqrt(static_cast<double>(width));
  c.seed = 7;
  return c;
}

/// What a block has, cell by cell from the two vectors.
struct Brute {
  double mean = 0, lowest = INFINITY, highest = -INFINITY;
};

Brute brute(const ScoreMap& map, const ScoreBlock& block) {
  Brute all;
  for (Index m = block.queries.first; m < block.queries.end; ++m)
    for (Index n = block.keys.first; n < block.keys.end; ++n) {
      const double s = map.cell(m, n);
      all.mean += s / block.cells();
      all.lowest = std::min(all.lowest, s);
      all.highest = std::max(all.highest, s);
    }
  return all;
}

std::vector<KeyRange> parts(Index first, Index end, Index count) {
  std::vector<KeyRange> ranges;
  for (Index i = 0; i < count; ++i)
    ranges.push_back({first + (end - first) * i / count, first + (end - first) * (i + 1) / count});
  return ranges;
}

TEST(TokenSigns, SumsAreThoseOfTheTokens) {
  for (const Index width : {2, 48, 64, 128}) {
    const TokenSigns signs(3, 1, 2000, width);
    std::vector<double> sum(static_cast<std::size_t>(width)), own = sum, direct = sum;
    for (Index t = 100; t < 1900; ++t) {
      signs.token(t, own);
      for (std::size_t j = 0; j < own.size(); ++j) direct[j] += own[j];
    }
    signs.sum(100, 1900, sum);  // by chunks
    EXPECT_EQ(sum, direct) << width;
    signs.sum(1899, 1900, sum);  // counted
    signs.token(1899, own);
    EXPECT_EQ(sum, own) << width;
  }
}

TEST(TokenSigns, AreEachAsLikelyAndIndependent) {
  const Index tokens = 1 << 16, width = 64;
  const TokenSigns q(1, 1, tokens, width), k(1, 2, tokens, width);
  std::vector<double> sum(width), a(width), b(width);
  q.sum(0, tokens, sum);
  for (const double s : sum) EXPECT_LT(std::abs(s), 5 * std::sqrt(double(tokens)));  // five deviations
  double product = 0, square = 0;
  const int pairs = 4000;
  for (Index t = 0; t < pairs; ++t) {
    q.token(t, a), k.token(t, b);
    double s = 0;
    for (std::size_t j = 0; j < a.size(); ++j) s += a[j] * b[j];
    product += s / 8 / pairs;  // scores have the mean 0 and the variance 1
    square += s * s / 64 / pairs;
  }
  EXPECT_NEAR(product, 0, 5 / std::sqrt(double(pairs)));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2.0 / pairs));
}

TEST(TokenVectors, AreTheSameRowByRow) {
  ScoreContent content = content_of(5000, Shared::topics, true);
  content.outlier = {{4100, 77, 25}};
  for (const auto side : {TokenVectors::Side::query, TokenVectors::Side::key}) {
    const TokenVectors vectors(content, side);
    const auto rows = vectors.rows(4000, 300);
    for (Index t = 4000; t < 4300; ++t)
      for (Index j = 0; j < 32;
           ++j)  // an angle of 4300 radians is rounded, each way; 64 turns of two roundings each
        ASSERT_NEAR(rows(t - 4000, j), vectors.vector(t)[static_cast<std::size_t>(j)],
                    2 * 4300 * 0x1p-53 + 128 * 0x1p-52);
  }
}

TEST(TokenVectors, NoneLiesOutsideOfItsBall) {
  double fullest = 0;
  for (const bool turned : {false, true})
    for (const Shared shared : {Shared::nothing, Shared::alike, Shared::topics}) {
      ScoreContent content = content_of(3000, shared, turned);
      content.outlier = {{500, 500, -30}};
      const TokenVectors vectors(content, TokenVectors::Side::key);
      for (const auto& [first, end] :
           {std::pair<Index, Index>{0, 3000}, {17, 19}, {400, 700}, {2990, 2991}}) {
        const Ball ball = vectors.ball(first, end);
        std::vector<double> sum(32);
        for (Index t = first; t < end; ++t) {
          const std::vector<double> v = vectors.vector(t);
          double apart = 0;
          for (std::size_t j = 0; j < v.size(); ++j) {
            sum[j] += v[j];
            apart += (v[j] - ball.mean[j]) * (v[j] - ball.mean[j]);
          }
          ASSERT_LE(std::sqrt(apart), ball.radius * (1 + 1e-12)) << first << " " << t;
          if (ball.radius > 0) fullest = std::max(fullest, std::sqrt(apart) / ball.radius);
        }
        for (std::size_t j = 0; j < sum.size(); ++j)
          ASSERT_NEAR(sum[j] / double(end - first), ball.mean[j], 1e-12);
      }
    }
  EXPECT_GT(fullest, 0.9);  // the radius is no larger than it need be
}

class ScoreMaps : public testing::TestWithParam<std::tuple<Shared, bool>> {};

// 480 × 480 cells from two vectors each are what a test has time for; 8192² take minutes that way.
TEST_P(ScoreMaps, SayOfBlocksWhatTheirCellsSay) {
  const auto [shared, turned] = GetParam();
  ScoreContent content = content_of(480, shared, turned, 16);
  content.outlier = {{400, 300, 40}};
  const ScoreMap map(content, {});
  const auto down = parts(0, 480, 5), across = parts(0, 480, 7);
  const std::vector<float> means = map.map(down, across, Shows::mean),
                           highest = map.map(down, across, Shows::highest),
                           lowest = map.map(down, across, Shows::lowest);
  for (std::size_t r = 0; r < down.size(); ++r)
    for (std::size_t c = 0; c < across.size(); ++c) {
      const ScoreBlock block{down[r], across[c]};
      const Brute all = brute(map, block);
      const ExactExtremes found = map.exact(block);
      const Extremes bounds = map.bounds(block);
      EXPECT_NEAR(map.mean(block), all.mean, 1e-12);
      EXPECT_NEAR(means[r * 7 + c], all.mean, 1e-5);
      EXPECT_NEAR(found.highest, all.highest, 1e-5);
      EXPECT_NEAR(found.lowest, all.lowest, 1e-5);
      EXPECT_NEAR(highest[r * 7 + c], all.highest, 4e-5);
      EXPECT_NEAR(lowest[r * 7 + c], all.lowest, 4e-5);
      EXPECT_LE(bounds.highest.lo, all.highest);
      EXPECT_GE(bounds.highest.hi, all.highest);
      EXPECT_LE(bounds.lowest.lo, all.lowest);
      EXPECT_GE(bounds.lowest.hi, all.lowest);
    }
}

INSTANTIATE_TEST_SUITE_P(Content, ScoreMaps,
                         testing::Combine(testing::Values(Shared::nothing, Shared::alike, Shared::topics),
                                          testing::Bool()));

TEST(ScoreMap, HidesWhatAMaskHidesByMoreThanHalf) {
  for (const Mask& mask :
       {Mask{.kind = Mask::Kind::causal}, Mask{.kind = Mask::Kind::sliding, .window = 37}}) {
    const ScoreMap map(content_of(200, Shared::nothing, false), mask);
    const auto down = parts(0, 200, 9), across = parts(0, 200, 13);
    const std::vector<float> means = map.map(down, across, Shows::mean);
    int hidden_blocks = 0;
    for (std::size_t r = 0; r < down.size(); ++r)
      for (std::size_t c = 0; c < across.size(); ++c) {
        double hidden = 0;
        for (Index m = down[r].first; m < down[r].end; ++m)
          for (Index n = across[c].first; n < across[c].end; ++n) hidden += !mask.allows(m, n, 200, 200);
        EXPECT_EQ(hidden_cells({down[r], across[c]}, mask), hidden);
        EXPECT_EQ(std::isinf(means[r * 13 + c]), hidden > double(down[r].count() * across[c].count()) / 2);
        hidden_blocks += std::isinf(means[r * 13 + c]);
      }
    EXPECT_GT(hidden_blocks, 20);
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int watched = 4;  // the sanitizers make every step longer: a quarter of the places
#else
constexpr int watched = 1;
#endif

/// Of each range the mean of its vectors, summed one by one.
tensor::Matrix<double> direct_means(const TokenVectors& side, const std::vector<KeyRange>& ranges) {
  tensor::Matrix<double> means(std::ssize(ranges), side.width());
  for (Index i = 0; i < std::ssize(ranges); ++i) {
    const KeyRange range = ranges[static_cast<std::size_t>(i)];
    means.row(i) = side.rows(range.first, range.count()).colwise().mean();
  }
  return means;
}

// A thousand pixels of all that a screen shows of a million tokens: their means beside sums that are formed anew from every
// vector, in double; of some, which have a million cells each, the highest and the lowest inside of what is stated.
TEST(ScoreMap, OfAMillionTokensHasTheMeansOfItsPixels) {
  constexpr int pixels = 1000 / watched, looked_through = 8 / watched;
  const Index rows = 800 / watched, columns = 1280 / watched;
  const ScoreMap map(content_of(1 << 20, Shared::topics, true, 8), {});
  const Index end = (1 << 20) / watched;
  const auto down = parts(0, end, rows), across = parts(0, end, columns);
  const std::vector<float> means = map.map(down, across, Shows::mean),
                           highest = map.map(down, across, Shows::highest);
  const tensor::Matrix<double> q = direct_means(map.queries(), down), k = direct_means(map.keys(), across);
  const tensor::Random random(5);
  for (int i = 0; i < pixels; ++i) {
    const auto r = static_cast<Index>(random.uniform(2 * i) * double(rows)),
               c = static_cast<Index>(random.uniform(2 * i + 1) * double(columns));
    const auto at = static_cast<std::size_t>(r * columns + c);
    const double mean = q.row(r).dot(k.row(c)) / std::sqrt(8.0);
    ASSERT_NEAR(means[at], mean, simd::product_bound(8) * q.row(r).norm() * k.row(c).norm() + 1e-9);
    const ScoreBlock block{down[static_cast<std::size_t>(r)], across[static_cast<std::size_t>(c)]};
    ASSERT_NEAR(map.mean(block), mean, 1e-9);
    if (i >= looked_through) continue;
    const ExactExtremes found = map.exact(block);
    const Extremes bounds = map.bounds(block);
    ASSERT_LE(found.highest, highest[at]);
    ASSERT_LE(bounds.highest.lo, found.highest);
    ASSERT_GE(bounds.highest.hi, found.highest);
    ASSERT_LE(bounds.lowest.lo, found.lowest);
    ASSERT_GE(bounds.lowest.hi, found.lowest);
  }
}

// A thousand pixels of a nearer view, of 80 × 50 cells each, whose cells are all computed in double.
TEST(ScoreMap, OfAMillionTokensHasTheExtremesOfItsPixelsInItsBounds) {
  constexpr int pixels = 1000 / watched;
  ScoreContent content = content_of(1 << 20, Shared::topics, true, 8);
  content.outlier = {{700025, 640040, 60}};
  const ScoreMap map(content, {});
  const tensor::Random random(6);
  for (int i = 0; i < pixels; ++i) {
    const Index r = i == 0 ? 500 : static_cast<Index>(random.uniform(2 * i) * 800),
                c = i == 0 ? 500 : static_cast<Index>(random.uniform(2 * i + 1) * 1280);
    const KeyRange queries{675000 + 50 * r, 675000 + 50 * (r + 1)},
        keys{600000 + 80 * c, 600000 + 80 * (c + 1)};
    const ScoreBlock block{queries, keys};
    const Eigen::MatrixXd cells =
        map.scale() * (map.queries().rows(queries.first, 50) * map.keys().rows(keys.first, 80).transpose());
    const Extremes bounds = map.bounds(block);
    const double rounding = 1e-9;
    ASSERT_LE(bounds.highest.lo, cells.maxCoeff() + rounding);
    ASSERT_GE(bounds.highest.hi, cells.maxCoeff() - rounding);
    ASSERT_LE(bounds.lowest.lo, cells.minCoeff() + rounding);
    ASSERT_GE(bounds.lowest.hi, cells.minCoeff() - rounding);
    ASSERT_NEAR(map.mean(block), cells.mean(), rounding);
    ASSERT_GE(map.map({queries}, {keys}, Shows::highest, 0).front(), cells.maxCoeff() - rounding);
  }
}

// 8192 queries and keys, blocks of 512² of them beside all of their cells in double.
TEST(ScoreMap, Of8192TokensHasWhatBruteForceFinds) {
  const Index tokens = 8192, side = 512;
  ScoreContent content = content_of(tokens, Shared::topics, true, 16);
  content.outlier = {{7000, 1000, 60}};
  const ScoreMap map(content, {});
  const auto down = parts(0, tokens, tokens / side), across = down;
  const std::vector<float> means = map.map(down, across, Shows::mean),
                           highest = map.map(down, across, Shows::highest);
  for (int i = 0; i < 8 / watched; ++i) {
    const std::size_t r = i == 0 ? 7000 / 512 : std::size_t(3 * i) % 16,
                      c = i == 0 ? 1000 / 512 : std::size_t(5 * i) % 16;
    const ScoreBlock block{down[r], across[c]};
    const Eigen::MatrixXd cells = map.scale() * (map.queries().rows(block.queries.first, side) *
                                                 map.keys().rows(block.keys.first, side).transpose());
    const ExactExtremes found = map.exact(block);
    EXPECT_NEAR(map.mean(block), cells.mean(), 1e-10);
    EXPECT_NEAR(means[r * 16 + c], cells.mean(), 1e-5);
    EXPECT_NEAR(found.highest, cells.maxCoeff(), 1e-9);
    EXPECT_NEAR(found.lowest, cells.minCoeff(), 1e-5);  // another one may be as low in float
    EXPECT_GE(highest[r * 16 + c], cells.maxCoeff());
  }
}

TEST(ScoreMap, OfAMillionTokensHasTheCellsOfItsVectors) {
  const ScoreMap map(content_of(1 << 20, Shared::topics, true), {});
  const tensor::Random random(9);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto m = static_cast<Index>(random.uniform(2 * i) * (1 << 20)),
               n = static_cast<Index>(random.uniform(2 * i + 1) * (1 << 20));
    // The product in float of two vectors rounded to float, and the scale: against the direct one.
    const double lengths = map.queries().rows(m, 1).norm() * map.keys().rows(n, 1).norm() / std::sqrt(32.0);
    EXPECT_NEAR(map.map({{m, m + 1}}, {{n, n + 1}}, Shows::mean)[0], map.cell(m, n),
                (simd::product_bound(32) + 6 * 0x1p-24) * lengths);
  }
}

TEST(ScoreMap, AnOutlierIsFoundFromTheWhole) {
  ScoreContent content = content_of(1 << 20, Shared::topics, true, 64);
  content.outlier = {{876543, 210987, 60}};
  const ScoreMap map(content, {});
  EXPECT_NEAR(map.cell(876543, 210987), 60, 1e-12);
  KeyRange queries{0, 1 << 20}, keys{0, 1 << 20};
  int steps = 0;
  while (queries.count() > 1 || keys.count() > 1) {
    const auto down = parts(queries.first, queries.end, std::min<Index>(16, queries.count())),
               across = parts(keys.first, keys.end, std::min<Index>(16, keys.count()));
    const std::vector<float> highest = map.map(down, across, Shows::highest);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(highest) - highest.begin());
    queries = down[best / across.size()];
    keys = across[best % across.size()];
    ASSERT_LT(++steps, 8);
  }
  EXPECT_EQ(queries.first, 876543);
  EXPECT_EQ(keys.first, 210987);
}

}  // namespace
}  // namespace orrery::attention::score_map_test
