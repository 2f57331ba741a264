// A matrix of scores of any length that is never built: its cells, the means of its blocks, and bounds of what lies in them.
//
//   s_mn = s q_m · k_n              queries and keys as score_content.h has them, T = S tokens
//   mean of a block  = s q̄ · k̄    exact: the mean of products is the product of the means
//   highest, lowest  lie within    s (q̄·k̄ ± (r_q |k̄| + r_k |q̄| + r_q r_k)), from balls about the means: an interval, proven;
//                                  exact where all cells are asked for
//
// Masks cover scores and change none: what a block shows are its raw scores, and it is hidden where more than half of it is.
// Maps are computed in float: a mean is right to product_bound(d) s |q̄| |k̄| (core/simd/product.h), on a graphics device to
// scores_gpu_bound(d) s |q̄| |k̄| (scores.h). From any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/attention/mask.h"
#include "core/attention/score_content.h"

namespace orrery::attention {

/// Queries by keys.
struct ScoreBlock {
  KeyRange queries, keys;
  double cells() const { return static_cast<double>(queries.count()) * static_cast<double>(keys.count()); }
};

struct Between {
  double lo = 0, hi = 0;
};

/// The least and the greatest score of a block: where each lies. An interval of length 0 is the score itself.
struct Extremes {
  Between lowest, highest;
};

/// Both found.
struct ExactExtremes {
  double lowest = 0, highest = 0;
};

enum class Shows : std::uint8_t { mean, highest, lowest };

/// How many cells of a block lie under the mask, none of which a query sees; sliding and causal masks, and none.
double hidden_cells(const ScoreBlock&, const Mask&);

class ScoreMap {
 public:
  static constexpr double most_exact = 8192.0 * 8192.0;   ///< cells that one block is looked through for
  static constexpr double most_in_map = 4096.0 * 4096.0;  ///< that a map is looked through for

  /// Products of two small matrices, y = a bᵀ, on another device than the processor, waited for.
  using Products =
      std::function<void(tensor::View<const float> a, tensor::View<const float> b, tensor::View<float> y)>;

  ScoreMap(const ScoreContent&, const Mask&, Products elsewhere = {});
  /// Of as many queries as keys, of one width, and a scale s.
  ScoreMap(std::shared_ptr<const VectorSource> queries, std::shared_ptr<const VectorSource> keys,
           double scale, const Mask&, Products elsewhere = {});

  Index tokens() const { return queries_.tokens(); }
  const Mask& mask() const { return mask_; }
  double scale() const { return scale_; }
  const TokenVectors& queries() const { return queries_; }
  const TokenVectors& keys() const { return keys_; }

  /// Straight from the two vectors, in double.
  double cell(Index query, Index key) const;
  double mean(const ScoreBlock&) const;
  /// Proven, from the balls alone: nothing in the block is looked at.
  Extremes bounds(const ScoreBlock&) const;
  /// All cells: found in float, and what is found computed in double. Another cell may be further by no more than a float's
  /// rounding of the sums.
  /// `go_on` is called every few milliseconds, and may throw to stop.
  ExactExtremes exact(const ScoreBlock&, const std::function<void()>& go_on = {}) const;
  /// exact() where the block has no more than `most` cells, else bounds().
  Extremes extremes(const ScoreBlock&, double most = most_exact) const;

  /// One value for every block that a row of ranges makes with a column of them, row-major: the mean; or the largest that a
  /// cell can be, the smallest. The latter are exact where the map has no more than `most` cells, bounds elsewhere.
  /// −∞ where more than half of a block is hidden. Balls of the last few rows and columns are kept.
  /// `go_on` is called every few milliseconds while cells are looked through, and may throw to stop.
  std::vector<float> map(const std::vector<KeyRange>& queries, const std::vector<KeyRange>& keys, Shows,
                         double most = most_in_map, const std::function<void()>& go_on = {}) const;

 private:
  struct Balls {
    std::vector<KeyRange> ranges;
    tensor::Matrix<float> means;
    std::vector<float> lengths, radii;
  };
  std::shared_ptr<const Balls> balls(const TokenVectors&, const std::vector<KeyRange>&) const;
  void bound_map(const Balls& q, const Balls& k, Shows, std::vector<float>& values) const;
  void exact_map(const std::vector<KeyRange>& queries, const std::vector<KeyRange>& keys, Shows,
                 std::vector<float>& values, const std::function<void()>& go_on) const;

  TokenVectors queries_, keys_;
  Mask mask_;
  double scale_;
  Products elsewhere_;
  mutable std::mutex kept_lock_;
  mutable std::vector<std::pair<const TokenVectors*, std::shared_ptr<const Balls>>>
      kept_;  // the last one first
};

}  // namespace orrery::attention
