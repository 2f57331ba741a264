// The inner loops of product.h, compiled for every kind of processor. Plain pointers, because nothing that the linker could
// merge may be compiled into them.
#pragma once

#include <cstdint>

#include "core/simd/ahead.h"

namespace orrery::simd {

/// Terms of the inner axis at a time: a panel or two of them stay in the second cache, and are fetched ahead, while rows of
/// x go by.
inline constexpr std::int64_t block_terms = 1024;

/// Rows by columns of y that the processor's registers hold sums for.
struct Tile {
  std::int64_t rows, columns;
};
Tile product_tile();

/// One panel: Tile::columns columns, the first of which starts at b, `count` terms of each, as the kernel reads them; zeros
/// beyond the last of the `left` columns that there are.
void pack_panel(const float* b, std::int64_t row_step, std::int64_t column_step, std::int64_t count,
                std::int64_t left, float* panel);

/// What becomes of a tile of complete sums before it goes to y: see Finish in product.h.
struct TileFinish {
  void (*change)(const void* own, float* sums, std::int64_t rows, std::int64_t columns,
                 std::int64_t stride) = nullptr;  ///< null: nothing
  const void* own = nullptr;
  bool streamed =
      false;  ///< y is written past the caches: its rows start on lines, and panels are whole ones
};

/// Where the panels are not there yet: the first tile packs them as it reads them.
struct Packing {
  const float* from = nullptr;  ///< the panels' columns, side by side, or null: they are there
  std::int64_t step = 0;        ///< from one term to the next
  float* to = nullptr;          ///< the panels
};

/// Rows of x against panels that lie one behind the other, tile by tile of rows: what of x is at hand meets all of them.
struct PanelProduct {
  const float* x;
  std::int64_t x_stride, rows, count;  ///< `count` terms of each row
  const float* panels;
  float* y;
  std::int64_t y_stride;
  std::int64_t columns;  ///< of all panels; only the last one may have fewer than Tile::columns
  const float* start;    ///< what the sums are added to: a number for each of these columns …
  Ahead next;            ///< asked for meanwhile: memory has little to do while the processor multiplies
  Packing packing = {};
  TileFinish finish = {};
};
/// … or, where `start` is null, what y holds.
void multiply_panels(const PanelProduct&);

}  // namespace orrery::simd
