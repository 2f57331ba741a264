// The highest and the lowest score of blocks, step by step, beside all cells.
#include "core/attention/score_search.h"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::attention::score_search_test {
namespace {

ScoreContent content_of(Index tokens, double noise) {
  ScoreContent c;
  c.shared = ScoreContent::Shared::topics;
  c.tokens = tokens;
  c.width = 16;
  c.strength = 0.6;
  c.noise = noise;
  c.base = 10000;
  c.scale = 0.25;
  c.seed = 7;
  return c;
}

TEST(ScoreSearch, NarrowsToWhatAllCellsSay) {
  const ScoreMap map(content_of(2000, 0.9), {});
  const ScoreBlock block{{100, 1100}, {700, 1900}};
  const ExactExtremes all = map.exact(block);
  for (const auto what : {ScoreSearch::For::highest, ScoreSearch::For::lowest}) {
    const double is = what == ScoreSearch::For::highest ? all.highest : all.lowest;
    ScoreSearch search(map, block, what);
    Between last = search.found();
    while (!search.over()) {
      EXPECT_LE(last.lo, is + 1e-6);  // cells in float, what is found in double
      EXPECT_GE(last.hi, is - 1e-6);
      search.step();
      const Between now = search.found();
      EXPECT_GE(now.lo, last.lo);
      EXPECT_LE(now.hi, last.hi);
      last = now;
    }
    EXPECT_EQ(last.lo, last.hi);
    EXPECT_NEAR(last.lo, is, 1e-6);
  }
}

// A million million cells: an outlier is found and proven to be the highest of all after a handful of parts.
TEST(ScoreSearch, ProvesAnOutlierAmongAMillionMillion) {
  ScoreContent content = content_of(1 << 20, 0.9);
  content.outlier = {{876543, 210987, 60}};
  const ScoreMap map(content, {});
  ScoreSearch search(map, {{0, map.tokens()}, {0, map.tokens()}}, ScoreSearch::For::highest);
  int steps = 0;
  while (!search.over() && steps < 200) search.step(), ++steps;
  EXPECT_TRUE(search.over());
  EXPECT_NEAR(search.found().hi, 60, 1e-9);
  EXPECT_LE(search.looked_through(), 8 * ScoreSearch::cells_looked_through);
  std::printf("[ worst    ] proven after %d steps, %.0f cells of %.3g looked through\n", steps,
              search.looked_through(), 0x1p40);
}

}  // namespace
}  // namespace orrery::attention::score_search_test
