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

/// What becomes of a tile of complete sums before it goes to y: see Finish in product.h.
struct TileFinish {
  void (*change)(const void* own, float* sums, std::int64_t rows, std::int64_t columns,
                 std::int64_t stride) = nullptr;  ///< null: nothing
  const void* own = nullptr;
  bool streamed = false;  ///< rows of y are whole lines, and so are panels
};

/// Rows of x against panels that lie one behind the other, tile by tile of rows: what of x is at hand meets all of them.
struct PanelProduct {
  const float* x;
  std::int64_t x_stride, rows, count;  ///< `count` terms of each row
  float* panels;
  const float*
      unpacked;  ///< null, or the panels' columns, side by side: the first tile packs them as it reads them
  std::int64_t unpacked_step;
  float* y;
  std::int64_t y_stride,
      columns;         ///< how many there are; only the last panel may have fewer than Tile::columns
  const float* start;  ///< what the sums are added to: a number for each of the panels' columns …
  Ahead next;          ///< asked for meanwhile: memory has little to do while the processor multiplies
  TileFinish finish = {};
};
/// … or, where `start` is null, what y holds.
void multiply_panels(const PanelProduct&);

}  // namespace orrery::simd
