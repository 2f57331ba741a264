// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::embedding {

/// A row of the table, and one that is wanted soon.
struct TableRow {
  const float *values, *soon;
  float* to;
  std::size_t count;
  bool streamed;  ///< see core/simd/share.h
};

void copy_row(const TableRow&);
/// The product in double, rounded once.
void scale_row(const TableRow&, double factor);

}  // namespace orrery::embedding
