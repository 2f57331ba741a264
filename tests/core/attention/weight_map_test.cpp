// Weights of long texts: rows beside softmax in double, blocks beside all of their cells, and whether the error that is
// stated is the error that is made.
#include "core/attention/weight_map.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "core/attention/softmax.h"
#include "core/simd/product.h"

namespace orrery::attention::weight_map_test {
namespace {

ScoreContent content_of(Index tokens, Index width = 16) {
  ScoreContent c;
  c.shared = ScoreContent::Shared::topics;
  c.tokens = tokens;
  c.width = width;
  c.strength = 0.6;
  c.noise = 0.9;
  c.base = 10000;
  c.scale = 1 / std::sqrt(static_cast<double>(width));
  c.seed = 7;
  return c;
}

std::shared_ptr<const ScoreMap> map_of(const ScoreContent& content, const Mask& mask = {}) {
  return std::make_shared<const ScoreMap>(content, mask);
}

/// Softmax of these rows, in double from two vectors for each score.
tensor::Matrix<double> weights_of(const ScoreMap& map, Index first, Index count) {
  tensor::Matrix<double> w(count, map.tokens());
  const tensor::Matrix<double> keys = map.keys().rows(0, map.tokens());
  for (Index r = 0; r < count; ++r) {
    const KeyRange seen = map.mask().range(first + r, map.tokens(), map.tokens());
    w.row(r) = map.scale() * (map.queries().rows(first + r, 1) * keys.transpose());
    for (Index n = 0; n < map.tokens(); ++n)
      if (n < seen.first || n >= seen.end) w(r, n) = -INFINITY;
  }
  softmax_ref(tensor::View<const double>(w), {}, tensor::View<double>(w));
  return w;
}

std::vector<KeyRange> parts(Index first, Index end, Index count) {
  std::vector<KeyRange> ranges;
  for (Index i = 0; i < count; ++i)
    ranges.push_back({first + (end - first) * i / count, first + (end - first) * (i + 1) / count});
  return ranges;
}

TEST(WeightMap, HasTheLogSumsOfItsRows) {
  ScoreContent content = content_of(5000);
  content.outlier = {{4000, 1234, 60}};  // its weight is all of its row
  for (const Mask& mask :
       {Mask{}, Mask{.kind = Mask::Kind::causal}, Mask{.kind = Mask::Kind::sliding, .window = 700}}) {
    const auto map = map_of(content, mask);
    const WeightMap weights(map, 3);
    const std::vector<Index> queries{4999, 0, 4000, 17};
    const std::vector<KeyRange> parts{{3, 4}, {900, 901}, {1000, 4300}, {4990, 5000}};
    // Found with the parts, then kept; then without parts, by another map.
    const LogSums first = weights.log_sums(queries, parts), again = weights.log_sums(queries, parts),
                  alone = WeightMap(map, 3).log_sums(queries, {});
    EXPECT_TRUE(weights.knows_log_sum_exp(4000));
    EXPECT_FALSE(weights.knows_log_sum_exp(4001));
    for (std::size_t i = 0; i < queries.size(); ++i) {
      double all = 0;
      std::vector<double> own(parts.size());
      const KeyRange seen = mask.range(queries[i], 5000, 5000);
      for (Index n = seen.first; n < seen.end; ++n) {
        const double e = std::exp(map->cell(queries[i], n));
        all += e;
        for (std::size_t c = 0; c < parts.size(); ++c)
          if (parts[c].first <= n && n < parts[c].end) own[c] += e;
      }
      // The product in float of vectors rounded to float; the exponentials and their sums.
      const double lengths = 16 * 2.25 + 60 / map->scale(),
                   off = (simd::product_bound(16) + 6 * 0x1p-24) * map->scale() * lengths + 40 * 0x1p-24;
      EXPECT_NEAR(first.all[i], std::log(all), off);
      EXPECT_NEAR(alone.all[i], std::log(all), off);
      EXPECT_EQ(again.all[i], first.all[i]);
      for (std::size_t c = 0; c < parts.size(); ++c) {
        const double found = first.parts[i * parts.size() + c];
        if (own[c] == 0) {
          EXPECT_EQ(found, -INFINITY);
        } else {
          EXPECT_NEAR(found, std::log(own[c]), off);
        }
        EXPECT_EQ(again.parts[i * parts.size() + c], found);
      }
    }
  }
}

TEST(WeightMap, OfAShortTextHasTheMeansOfItsBlocks) {
  ScoreContent content = content_of(600);
  content.outlier = {{400, 300, 40}};
  const auto map = map_of(content, {.kind = Mask::Kind::causal});
  const WeightMap weights(map, 3);
  const tensor::Matrix<double> cells = weights_of(*map, 0, 600);
  const auto down = parts(0, 600, 7), across = parts(0, 600, 11);
  const WeightMeans made = weights.means(down, across, 2);
  for (std::size_t r = 0; r < down.size(); ++r) {
    EXPECT_EQ(made.rows[r], down[r].count());  // few cells: all rows are looked at
    for (std::size_t c = 0; c < across.size(); ++c) {
      const double mean =
          cells.block(down[r].first, across[c].first, down[r].count(), across[c].count()).mean();
      EXPECT_NEAR(made.mean[r * 11 + c], mean, 3e-5 * mean);
      EXPECT_EQ(made.error[r * 11 + c], 0);
    }
  }
  // A pixel that is a cell, and two pixels that are the same one.
  const WeightMeans fine = weights.means({{400, 401}, {400, 401}}, {{300, 301}, {300, 301}, {301, 302}}, 2);
  EXPECT_NEAR(fine.mean[0], cells(400, 300), 1e-5);
  EXPECT_EQ(fine.mean[0], fine.mean[4]);
  EXPECT_NEAR(fine.mean[2], cells(400, 301), 3e-5 * cells(400, 301));
}

TEST(WeightMap, MoreRepresentativesAreThoseAndMore) {
  const WeightMap weights(map_of(content_of(100000)), 3);
  const KeyRange all{1000, 9000}, part{1000, 3000};
  const auto few = weights.representatives(all, 40), many = weights.representatives(all, 160),
             near = weights.representatives(part, 40);
  EXPECT_EQ(few.size(), 40U);
  EXPECT_TRUE(std::ranges::includes(many, few));
  for (const Index t : few)
    if (t < part.end) {
      EXPECT_TRUE(std::ranges::binary_search(near, t));
    }
  EXPECT_EQ(weights.representatives({5, 9}, 40), (std::vector<Index>{5, 6, 7, 8}));
  EXPECT_NE(WeightMap(map_of(content_of(100000)), 4).representatives(all, 40), few);
}

// 2048 queries and keys: means of a block of 512 rows, from 2 and from 16 of them, by 200 seeds. The estimate is right on
// average, and so is the square of what it states beside the square of what it is off by. Twice the error of 16 rows covers it
// about as often as twice a deviation covers a normal number, 95 times in 100.
TEST(WeightMap, IsOffByWhatItStates) {
  constexpr int seeds = 200;
  const auto map = map_of(content_of(2048));
  const KeyRange rows{512, 1024};
  const KeyRange keys{0, 700};
  const double mean = weights_of(*map, rows.first, rows.count()).leftCols(keys.end).mean();
  for (const Index each : {2, 16}) {
    double off = 0, square = 0, stated = 0;
    int covered = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const WeightMeans found = WeightMap(map, seed).means({rows}, {keys}, each, {}, 0);
      ASSERT_EQ(found.rows, std::vector<Index>{each});
      const double own = found.mean[0] - mean, error = double{found.error[0]};
      off += own / seeds;
      square += own * own / seeds;
      stated += error * error / seeds;
      covered += std::abs(own) <= 2 * error ? 1 : 0;
    }
    EXPECT_LT(std::abs(off), 4 * std::sqrt(square / seeds)) << each;
    EXPECT_GT(stated / square, 0.7) << each;  // a mean of 200 squares is off by a tenth of itself
    EXPECT_LT(stated / square, 1.4) << each;
    if (each == 16) {
      EXPECT_GT(covered, 0.9 * seeds);
    }
    std::printf("[ worst    ] %d of 512 rows: stated² over made² %.3f, within twice the error %d of %d\n",
                int(each), stated / square, covered, seeds);
  }
}

TEST(WeightMap, CanBeStopped) {
  struct Stop {};
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);  // the thread that asks may come late where others do the work
  const WeightMap weights(map_of(content_of(1 << 17)), 3);
  double last = -1;
  const auto done = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    if (fraction > 0.3) throw Stop();
  };
  EXPECT_THROW((void)weights.log_sums({(1 << 17) - 1}, {}, done), Stop);
  omp_set_num_threads(threads);
  EXPECT_GT(last, 0.3);
  EXPECT_FALSE(weights.knows_log_sum_exp((1 << 17) - 1));
}

}  // namespace
}  // namespace orrery::attention::weight_map_test
