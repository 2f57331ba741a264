// A matrix within an array where it lies in a file: the vectors of one head of many, some rows of a projection. Rows are
// read where they are asked for, and nothing else is.
//
//   element (r, c) is that of the file at  first + r row_step + c col_step
#pragma once

#include <cstdint>
#include <vector>

#include "core/file/stored_array.h"
#include "core/tensor/view.h"

namespace orrery::file {

/// How far apart neighbours along each axis stand in the file, in elements.
std::vector<std::uint64_t> steps_of(const StoredArray&);

struct StoredPlane {
  StoredArray array;  ///< of a file, not of a pipe
  tensor::Index rows = 0, cols = 0;
  std::uint64_t first = 0, row_step = 0, col_step = 1;

  /// `count` rows from `row` on. Throws Failure as StoredArray::numbers_at; from any thread.
  tensor::Matrix<double> read(tensor::Index row, tensor::Index count) const;
};

}  // namespace orrery::file
