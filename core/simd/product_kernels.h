// The inner loops of product.h, compiled for every kind of processor. Plain pointers, because nothing that the linker could
// merge may be compiled into them.
#pragma once

#include <cstdint>

#include "core/simd/ahead.h"

namespace orrery::simd {

/// Terms of the inner axis at a time: a panel of them stays in the second cache, and is fetched ahead, while rows of x go by.
inline constexpr std::int64_t block_terms = 1024;

/// Rows by columns of y that the processor's registers hold sums for.
struct Tile {
  std::int64_t rows, columns;
};
Tile product_tile();

/// One panel: Tile::columns columns of b from `columns` on, `count` terms of each, as the kernel reads them; zeros beyond
/// the last of the `left` columns that there are.
void pack_panel(const float* b, std::int64_t row_step, std::int64_t column_step, std::int64_t count,
                std::int64_t left, float* panel);

/// So many terms of a row are multiplied at a time: they lie in one line or two, or side by side in one that is packed.
inline constexpr std::int64_t terms_at_a_time = 16;

/// How many floats pack_rows writes.
std::int64_t packed_size(std::int64_t count);

/// Up to Tile::rows rows of x, `count` terms of each, as the kernel reads them best: terms_at_a_time of one row, as many of the next.
void pack_rows(const float* x, std::int64_t stride, std::int64_t rows, std::int64_t count, float* packed);

/// Rows of x against a panel.
struct PanelProduct {
  const float* x;
  bool packed;  ///< by pack_rows; `x_stride` goes from one tile of rows to the next then
  std::int64_t x_stride, rows, count;  ///< `count` terms of each row
  const float* panel;
  float* y;
  std::int64_t y_stride, columns;  ///< how many of the panel's columns there are
  const float* start;  ///< what the sums are added to: a number for each column (Tile::columns of them) …
  Ahead next;          ///< asked for meanwhile: memory has little to do while the processor multiplies
};
/// … or, where `start` is null, what y holds.
void multiply_panel(const PanelProduct&);

}  // namespace orrery::simd
