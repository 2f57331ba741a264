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

/// Rows of x against a panel.
struct PanelProduct {
  const float* x;
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
