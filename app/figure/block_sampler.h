// A sampler that answers for whole blocks: what it gives for a pixel stands for all cells below it, however many. A heatmap
// asks it for its pixels as they are, and its colours follow what is in view.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "app/figure/marks.h"

namespace orrery::figure {

/// How a mean was estimated: from some of the block's rows, and its standard error as a part of it; 0 from all of them.
struct RowsLooked {
  double rows = 0, of = 0;
  double error = 0;
};

/// What is known of all values of a block: the lowest lies in one range, the highest in the other; a range of length 0 is
/// the value itself. Where rows were looked at only the mean is known.
struct BlockValues {
  double mean = 0;
  Range lowest, highest;
  std::optional<RowsLooked> looked{};
};

/// What a window asks instead, which must not wait: it answers at once with what is known, while a thread finds more.
class SoonSampler {
 public:
  virtual ~SoonSampler() = default;
  virtual Grid values(Range x, Range y, int cols, int rows) = 0;  ///< NaN where nothing is known yet
  virtual std::optional<BlockValues> block(Range x, Range y) = 0;
  virtual std::uint64_t news() const = 0;  ///< grows whenever an answer would be another one than before
  virtual bool busy() const = 0;
};

/// Kept as a Sampler, in which block_sampler() finds it again.
struct BlockSampler {
  Sampler values;                                                     ///< one for each block
  std::function<std::optional<BlockValues>(Range x, Range y)> block;  ///< for a read-out
  std::shared_ptr<SoonSampler> soon{};                                ///< none: the others are quick

  Grid operator()(Range x, Range y, int cols, int rows) const { return values(x, y, cols, rows); }
};

/// The one in it; null where it answers for the middles of cells.
inline const BlockSampler* block_sampler(const Sampler& sampler) {
  return sampler.target<BlockSampler>();
}

}  // namespace orrery::figure
