// The highest or the lowest score of a block of any size, step by step: an interval that is proven at every step, and narrows.
//
//   what none is above   the largest of the bounds of all parts that were not looked through (score_map.h)
//   what one is at       the highest that was found: of parts that were looked through, and of means, which are below theirs
//
// The part whose bound is largest is divided next, its longer side in two; one of few cells is looked through. So an
// outlier is met after a few dozen parts, and where its score is above all other bounds the search is over: found, and
// proven. Where every part may hold the highest, all would have to be looked through; then the interval stays as it is when
// the work is stopped.
#pragma once

#include <cstdint>
#include <queue>

#include "core/attention/score_map.h"

namespace orrery::attention {

class ScoreSearch {
 public:
  enum class For : std::uint8_t { highest, lowest };
  static constexpr double cells_looked_through = 256.0 * 256.0;

  ScoreSearch(const ScoreMap&, const ScoreBlock&, For);

  /// Where it lies.
  Between found() const;
  /// Nothing is left to look for.
  bool over() const;
  /// Divides a part, or looks one through: some milliseconds at most.
  void step();
  /// How many cells were looked through.
  double looked_through() const { return looked_through_; }

 private:
  struct Part {
    double bound;
    ScoreBlock block;
    bool operator<(const Part& other) const { return bound < other.bound; }
  };
  void meet(const ScoreBlock&, double bound);

  const ScoreMap& map_;
  double sign_;  ///< of the lowest everything is looked for with the other sign
  double best_;
  double looked_through_ = 0;
  std::priority_queue<Part> parts_;
};

}  // namespace orrery::attention
