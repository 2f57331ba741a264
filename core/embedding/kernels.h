// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orrery::embedding {

/// Some words' rows of a table, one behind the other.
struct TableRows {
  const std::int64_t* ids;
  std::int64_t count;  ///< of ids
  const float* table;
  std::int64_t table_stride;
  float* to;
  std::int64_t to_stride;
  std::size_t width;
  bool streamed;  ///< see core/simd/share.h
};

void copy_rows(const TableRows&);
/// The product in double, rounded once.
void scale_rows(const TableRows&, double factor);

}  // namespace orrery::embedding
