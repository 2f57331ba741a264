#include "core/attention/score_search.h"

#include <algorithm>
#include <limits>

namespace orrery::attention {

ScoreSearch::ScoreSearch(const ScoreMap& map, const ScoreBlock& block, For what)
    : map_(map), sign_(what == For::highest ? 1 : -1), best_(-std::numeric_limits<double>::infinity()) {
  meet(block, std::numeric_limits<double>::infinity());
}

/// `bound` is one already: that of what it is a part of. Its own may be wider, as a ball about another mean.
void ScoreSearch::meet(const ScoreBlock& block, double bound) {
  const Extremes bounds = map_.bounds(block);  // the mean lies in the middle: some score is at it or above
  best_ = std::max(best_, sign_ > 0 ? bounds.highest.lo : -bounds.lowest.hi);
  parts_.push({std::min(bound, sign_ > 0 ? bounds.highest.hi : -bounds.lowest.lo), block});
}

Between ScoreSearch::found() const {
  const double reach = over() ? best_ : parts_.top().bound;
  return sign_ > 0 ? Between{best_, reach} : Between{-reach, -best_};
}

bool ScoreSearch::over() const {
  return parts_.empty() || parts_.top().bound <= best_;
}

void ScoreSearch::step() {
  if (over()) return;
  const auto [bound, block] = parts_.top();
  parts_.pop();
  if (block.cells() <= cells_looked_through) {
    const ExactExtremes exact = map_.exact(block);
    best_ = std::max(best_, sign_ > 0 ? exact.highest : -exact.lowest);
    looked_through_ += block.cells();
    return;
  }
  const auto halves = [](KeyRange all) {
    const Index middle = all.first + all.count() / 2;
    return std::pair(KeyRange{all.first, middle}, KeyRange{middle, all.end});
  };
  if (block.queries.count() >= block.keys.count()) {
    const auto [low, high] = halves(block.queries);
    meet({low, block.keys}, bound), meet({high, block.keys}, bound);
  } else {
    const auto [low, high] = halves(block.keys);
    meet({block.queries, low}, bound), meet({block.queries, high}, bound);
  }
}

}  // namespace orrery::attention
