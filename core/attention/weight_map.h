// The weights of a score map of any length: softmax of every row, over all keys that its query sees.
//
//   w_mn = e^{s_mn} / Z_m,   Z_m = Σ_n e^{s_mn}
//   mean of a block = 1/|M| Σ_{m∈M} 1/|N| Σ_{n∈N} w_mn         what a mask hides has the weight 0
//
// Z_m of one row takes one pass over all keys; a picture of a million rows would take as many. So a block's mean is estimated
// from k of its n rows, each of them whole: every key of the row counts in its Z_m, every key of the block in its mean.
//
//   mean ≈ w̄ = 1/k Σ w̄_m        error = √((1 − k/n) σ²/k),   σ² = 1/(k−1) Σ (w̄_m − w̄)²
//
// The k rows are chosen at random, without one twice, each set of them as likely: w̄ is right on average, and so is the square
// of the error that is stated, whatever the weights are (Cochran, Sampling Techniques, 1977, theorems 2.1, 2.2 and 2.4). What
// single rows hide it cannot know: an outlier in one row of a thousand is missed most of the time, and the error says nothing
// of it then. With k = n nothing is estimated, and the error is 0. The rows that represent a block are those with the smallest
// of random numbers that every row has: those of a part are the same as far as they lie in it, and more rows are those and
// more.
//
// In float with sums in double, as softmax_cpu has it: a score is off by (product_bound(d) + 3 · 2⁻²⁴) s |q| |k| at most, and
// relatively the exponential by that, by 2⁻²⁴ (3 |s − max| + 4), the sums of them by that of their terms; on a graphics device
// by what log_sums.h says. Which threads there are changes no bit. From any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/attention/log_sums.h"
#include "core/attention/score_map.h"

namespace orrery::attention {

/// Called every few milliseconds with how much is done, 0 to 1; it may throw to stop.
using WeightsDone = std::function<void(double)>;

/// What finds the sums of a tile on another device than the processor: log_sums_gpu() there, where its thread is.
using TileSums = std::function<void(const LogSumTile&, std::span<LogSum>)>;

/// ln Σ e^s; −∞ where nothing is seen.
struct LogSums {
  std::vector<double> parts;  ///< row-major, a row for each query
  std::vector<double> all;    ///< of each query: ln Z
};

/// Means of blocks, row-major, a row of them for each range of queries.
struct WeightMeans {
  std::vector<double> mean;
  std::vector<float> error;  ///< the standard error, of the mean; 0 where all rows were looked at
  std::vector<Index> rows;   ///< of each row of blocks: how many of its queries were looked at
};

class WeightMap {
 public:
  static constexpr double most_whole = 4096.0 * 4096.0;  ///< cells of whole rows that are all looked at

  /// With `elsewhere` wide blocks of several rows are summed there; single rows and keys here.
  WeightMap(std::shared_ptr<const ScoreMap>, std::uint64_t seed, TileSums elsewhere = {});

  const ScoreMap& scores() const { return *scores_; }

  /// Of each query over all that it sees, and over each part of that. Parts ascend and have no key twice.
  LogSums log_sums(const std::vector<Index>& queries, const std::vector<KeyRange>& parts,
                   const WeightsDone& = {}) const;
  /// Whether the next log_sums() needs to look at no more than the parts.
  bool knows_log_sum_exp(Index query) const;

  /// Those of its rows that represent a range of queries: all where they are no more than `most`. In ascending order.
  std::vector<Index> representatives(KeyRange queries, Index most) const;

  /// Of every block that a row of ranges makes with a column of them. Each from `rows` of its rows, at least 2; from all of
  /// them where there are no more, or where the rows of the map together have no more than `whole` cells, all keys counted.
  WeightMeans means(const std::vector<KeyRange>& queries, const std::vector<KeyRange>& keys, Index rows,
                    const WeightsDone& = {}, double whole = most_whole) const;

 private:
  struct Sums;
  /// Over the parts; and over all other keys, in one more column, where `others`.
  Sums sweep(const std::vector<Index>& queries, const std::vector<KeyRange>& parts, bool others,
             const WeightsDone&) const;
  std::vector<std::uint32_t> lots(KeyRange queries) const;
  void keep(const std::vector<Index>& queries, const std::vector<double>& sums) const;

  std::shared_ptr<const ScoreMap> scores_;
  std::uint64_t seed_;
  TileSums elsewhere_;
  mutable std::mutex kept_lock_;
  mutable std::unordered_map<Index, double> kept_;
};

}  // namespace orrery::attention
