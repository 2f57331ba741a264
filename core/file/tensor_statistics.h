// The statistics of an array where it lies in a file: read once from one end to the other, some numbers at a time.
#pragma once

#include <cstdint>
#include <functional>

#include "core/file/stored_array.h"
#include "core/tensor/statistics.h"

namespace orrery::file {

struct TensorStatistics {
  tensor::Statistics numbers;
  /// Of the last axis, where there are several rows and the file has them one after the other; else none.
  std::vector<tensor::LargestRows::Row> rows;
  /// Where the number of largest absolute value stands, an index for each axis; empty: there is none, or no axis.
  std::vector<tensor::Index> farthest_at;
};

/// `step(numbers read)` is called after each 32768 of them, a fraction of a millisecond; what it throws ends the reading.
/// Throws Failure where the data ends too early.
TensorStatistics statistics_of(const StoredArray&, const std::function<void(std::uint64_t)>& step = {});

}  // namespace orrery::file
