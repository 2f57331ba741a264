#include "core/simd/product.h"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "core/simd/aligned_room.h"
#include "core/simd/product_kernels.h"
#include "core/simd/product_turned.h"
#include "core/simd/share.h"

namespace orrery::simd {
namespace {

using tensor::View;

/// Fewer rows than this do not pay for packing b once more.
constexpr Index worthwhile_rows = 256;

/// The terms of b from `term` on, a block of them, in up to `width` columns from `column` on.
struct Block {
  const Factor* b;
  Index term, column, width;

  bool exists() const { return term < b->rows && column < b->columns; }
  Index terms() const { return std::min(block_terms, b->rows - term); }
  Index columns() const { return std::min(width, b->columns - column); }
  const float* data() const { return b->data + term * b->row_step + column * b->column_step; }
  Block below() const { return {b, term + terms(), column, width}; }

  /// Whether the kernel can read it as it is.
  bool is_panels() const { return b->column_step == 1 && columns() % product_tile().columns == 0; }
  void pack(float* panels) const {
    const Index panel = product_tile().columns;
    for (Index n = 0; n < columns(); n += panel)
      pack_panel(data() + n * b->column_step, b->row_step, b->column_step, terms(), columns() - n,
                 panels + n * terms());
  }
  Ahead ahead() const {
    if (!exists()) return {nullptr, 0, 0, 0};
    if (b->row_step == 1) return {data(), b->column_step, columns(), terms()};
    return {data(), b->row_step, terms(), columns()};
  }
};

TileFinish of_tiles(const Finish& finish, View<const float> y, bool is_only_block) {
  const bool whole_lines = starts_on_lines(y) && product_tile().columns * sizeof(float) % cache_line == 0;
  TileFinish own{.own = &finish, .streamed = finish.streamed && is_only_block && whole_lines};
  if (finish.change)
    own.change = [](const void* f, float* sums, Index rows, Index columns, Index stride) {
      static_cast<const Finish*>(f)->change({sums, rows, columns, stride});
    };
  return own;
}

/// All rows of x against the columns of a block and of those below it; `then` is the block that comes after them.
void multiply_columns(View<const float> x, std::span<const float> bias, View<float> y, Block block,
                      const Block& then, const Finish& finish, float* panels) {
  std::vector<float> start(static_cast<std::size_t>(block.width), 0.0F);
  if (!bias.empty()) std::copy_n(bias.begin() + block.column, block.columns(), start.begin());
  const float* sums = start.data();
  do {  // once also when there is no term at all: y is the bias then
    const bool last = !block.below().exists(), packed = !block.is_panels();
    if (packed) block.pack(panels);
    multiply_panels({.x = x.data + block.term,
                     .x_stride = x.stride,
                     .rows = x.rows,
                     .count = block.terms(),
                     .panels = panels,
                     .y = y.data + block.column,
                     .y_stride = y.stride,
                     .columns = block.columns(),
                     .start = sums,
                     .next = (last ? then : block.below()).ahead(),
                     .packing = packed ? Packing() : Packing{block.data(), block.b->row_step, panels},
                     .finish = last ? of_tiles(finish, y, block.term == 0) : TileFinish()});
    sums = nullptr;
    block = block.below();
  } while (block.exists());
}

}  // namespace

void product(View<const float> x, const Factor& b, std::span<const float> bias, View<float> y,
             const Finish& finish) {
  if (y.rows == 0 || y.cols == 0) return;
  if (is_faster_turned(x.rows, b)) return product_turned(x, b, bias, y, finish);
  const Index terms = std::max<Index>(b.rows, 1), size = y.size() * terms;
  const Index threads = stays_alone(size) ? 1 : omp_get_max_threads(), enough = 4 * threads;
  const Index panels = parts(b.columns, product_tile().columns), together = panels >= 2 * enough ? 2 : 1;
  const Index width = together * product_tile().columns, columns = parts(panels, together);
  // Panels are packed once each if there are enough of them for all threads; else rows are shared out too.
  const Index groups =
      std::clamp(parts(enough, columns), Index{1}, std::max(Index{1}, x.rows / worthwhile_rows));
  const Index group_rows = parts(parts(x.rows, groups), product_tile().rows) * product_tile().rows;
  const Index count = groups * columns;
  const auto first_block = [&](Index k) {
    return Block{&b, 0, k < count ? k % columns * width : b.columns, width};
  };
  share_in_turns({.count = count, .size = size, .turn = 1}, [&] {
    // A thread knows what it does next, so that this can be fetched.
    return [&, room = aligned_room<float>(width * std::min(block_terms, terms))](Index first, Index end,
                                                                                 Index next) {
      for (Index k = first; k < end; ++k) {
        const Index row = std::min(k / columns * group_rows, x.rows),
                    rows = std::min(group_rows, x.rows - row);
        multiply_columns({x.data + row * x.stride, rows, x.cols, x.stride}, bias,
                         {y.data + row * y.stride, rows, y.cols, y.stride}, first_block(k),
                         first_block(k + 1 < end ? k + 1 : next), finish, room.get());
      }
    };
  });
}

double product_bound(Index K) {
  const Index roundings =
      1 + std::min(K, Index{64}) + std::min(parts(K, 64), Index{16}) + parts(K, block_terms);
  const double lost = static_cast<double>(roundings) * 0x1p-24;
  return lost / (1 - lost);
}

}  // namespace orrery::simd
