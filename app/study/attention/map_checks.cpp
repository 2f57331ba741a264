#include "app/study/attention/map_checks.h"

#include <algorithm>
#include <cmath>

#include "app/study/attention/map_places.h"
#include "app/study/kit/checks.h"
#include "app/study/kit/numbers.h"

namespace orrery::study {
namespace {

using attention::KeyRange;
using attention::ScoreBlock;
using attention::ScoreMap;
using attention::Shows;
using tensor::Index;

constexpr std::uint64_t places = 4;

/// What the map shows of small blocks, in float, beside the highest of their cells, each from its two vectors in double.
Check highest_is_highest(const MapAsked& asked, const ScoreMap& map) {
  constexpr Index side = 6;
  const Places random(asked.content.seed, 21, map.tokens(), side);
  Worst worst;
  for (std::uint64_t i = 0; i < places; ++i) {
    const ScoreBlock block = random.block(i);
    double highest = -INFINITY;
    for (Index m = block.queries.first; m < block.queries.end; ++m)
      for (Index n = block.keys.first; n < block.keys.end; ++n) highest = std::max(highest, map.cell(m, n));
    const attention::ExactExtremes found = map.exact(block);
    worst.meet(std::abs(found.highest - highest));
    const float shown = map.map({block.queries}, {block.keys}, Shows::highest).front();
    if (std::isfinite(shown)) worst.meet(std::abs(number(shown) - highest));
  }
  // The product in float, two vectors rounded to float, and the scale.
  const double length = longest_vector(asked);
  return {"the highest score of a small block is that of its cells, each computed by itself", worst,
          (product_slack(asked) + 6 * 0x1p-24) * map.scale() * length * length};
}

double length_of(const std::vector<double>& v) {
  double square = 0;
  for (const double x : v) square += x * x;
  return std::sqrt(square);
}

/// What the map shows, in float and by whatever device, beside the same in double.
Check pixels_are_means(const MapAsked& asked, const ScoreMap& map) {
  constexpr Index side = 600;
  const Places random(asked.content.seed, 25, map.tokens(), side);
  Worst worst;
  for (std::uint64_t i = 0; i < places; ++i) {
    const ScoreBlock block = random.block(i);
    const float shown = map.map({block.queries}, {block.keys}, Shows::mean).front();
    if (shown == -INFINITY) continue;  // hidden
    const double lengths = length_of(map.queries().ball(block.queries.first, block.queries.end).mean) *
                           length_of(map.keys().ball(block.keys.first, block.keys.end).mean);
    // Both means are rounded to floats, their product is off, and so is its scale.
    const double bound = (product_slack(asked) + 6 * 0x1p-24) * map.scale() * lengths;
    worst.meet(bound > 0 ? std::abs(number(shown) - map.mean(block)) / bound : std::abs(number(shown)));
  }
  return {"a pixel shows the mean of its block; of a float's rounding that takes at most", worst, 1};
}

/// The mean in closed form beside that of the vectors, summed one by one.
Check means_are_means(const Run& run, const MapAsked& asked, const ScoreMap& map) {
  constexpr Index side = 600;  // reaches over whole chunks of counted signs
  const Places random(asked.content.seed, 22, map.tokens(), side);
  Worst worst;
  for (std::uint64_t i = 0; i < places; ++i) {
    run.check();
    const ScoreBlock block = random.block(i);
    const auto mean = [&](const attention::TokenVectors& side_of, KeyRange range) {
      return Eigen::RowVectorXd(side_of.rows(range.first, range.count()).colwise().mean());
    };
    const double direct = map.scale() * mean(map.queries(), block.queries).dot(mean(map.keys(), block.keys));
    worst.meet(std::abs(map.mean(block) - direct));
  }
  // An angle of N radians is off by N 2^-53; sums of 600 and 64 turns by their roundings; each side once.
  const double length = longest_vector(asked);
  return {asked.files
              ? "the mean of a block from the sums of its chunks is that of its vectors, summed one by one"
              : "the mean of a block in closed form is that of its vectors, summed one by one",
          worst, 2 * map.scale() * length * length * (2 * number(map.tokens()) + side + 400) * 0x1p-53};
}

/// How much of its bounds a cell uses, in all blocks around it.
Check bounds_hold(const MapAsked& asked, const ScoreMap& map) {
  const Places random(asked.content.seed, 23, map.tokens(), 1);
  Worst worst;
  const auto meet = [&](Index query, Index key) {
    const double score = map.cell(query, key);
    for (Index side = 1; side <= map.tokens(); side *= 16) {
      const auto around = [&](Index t) {
        return KeyRange{t / side * side, std::min(t / side * side + side, map.tokens())};
      };
      const attention::Extremes bounds = map.bounds({around(query), around(key)});
      const double reach = bounds.highest.hi - bounds.highest.lo;
      if (reach > 0) worst.meet(std::abs(score - bounds.highest.lo) / reach);
    }
  };
  for (std::uint64_t i = 0; i < places; ++i) {
    const ScoreBlock cell = random.block(i);
    meet(cell.queries.first, cell.keys.first);
  }
  if (asked.content.outlier) meet(asked.content.outlier->query, asked.content.outlier->key);
  return {"no cell lies outside the bounds of a block around it; of their reach it takes at most", worst,
          1 + 1e-9};
}

}  // namespace

std::vector<Check> map_checks(const Run& run, const MapAsked& asked, const ScoreMap& map) {
  std::vector<Check> checks{highest_is_highest(asked, map), means_are_means(run, asked, map),
                            pixels_are_means(asked, map), bounds_hold(asked, map)};
  if (const auto& outlier = asked.content.outlier) {
    // d products that are equal, and a root.
    const double off = std::abs(map.cell(outlier->query, outlier->key) - outlier->height);
    checks.push_back({"the outlier has its score", off,
                      (number(asked.content.width) + 6) * 0x1p-53 * std::abs(outlier->height)});
  }
  return checks;
}

}  // namespace orrery::study
