#include "core/simd/product_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/simd/product_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/multiply.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

using Index = std::int64_t;

Tile tile() {
  return {tile_rows, panel_vectors * lanes()};
}

/// Four columns of four terms each, from b to the rows of a panel.
HWY_INLINE void transpose_four(const float* b, Index column_step, float* panel, Index width) {
#if HWY_TARGET == HWY_SCALAR
  for (Index n = 0; n < 4; ++n)
    for (Index k = 0; k < 4; ++k) panel[k * width + n] = b[n * column_step + k];
#else
  const hn::FixedTag<float, 4> four;
  const auto c0 = hn::LoadU(four, b), c1 = hn::LoadU(four, b + column_step);
  const auto c2 = hn::LoadU(four, b + 2 * column_step), c3 = hn::LoadU(four, b + 3 * column_step);
  const auto lower01 = hn::InterleaveLower(four, c0, c1), upper01 = hn::InterleaveUpper(four, c0, c1);
  const auto lower23 = hn::InterleaveLower(four, c2, c3), upper23 = hn::InterleaveUpper(four, c2, c3);
  hn::StoreU(hn::ConcatLowerLower(four, lower23, lower01), four, panel);
  hn::StoreU(hn::ConcatUpperUpper(four, lower23, lower01), four, panel + width);
  hn::StoreU(hn::ConcatLowerLower(four, upper23, upper01), four, panel + 2 * width);
  hn::StoreU(hn::ConcatUpperUpper(four, upper23, upper01), four, panel + 3 * width);
#endif
}

void pack(const float* b, Index row_step, Index column_step, Index count, Index left, float* panel) {
  const Index width = panel_vectors * lanes(), there = left < width ? left : width;
  const auto copy = [=](Index k, Index n) HWY_ATTR {
    panel[k * width + n] = n < there ? b[k * row_step + n * column_step] : 0;
  };
  // The steps of four stay within whole fours of terms and columns, what is left over goes one by one.
  const Index fours = row_step == 1 ? count / 4 * 4 : 0, columns = there / 4 * 4;
  for (Index k = 0; k < fours; k += 4) {
    for (Index n = 0; n < columns; n += 4)
      transpose_four(b + n * column_step + k, column_step, panel + k * width + n, width);
    for (Index n = columns; n < width; ++n)
      for (Index i = 0; i < 4; ++i) copy(k + i, n);
  }
  for (Index k = fours; k < count; ++k) {
    if (column_step == 1)
      std::memcpy(panel + k * width, b + k * row_step, static_cast<std::size_t>(there) * sizeof(float));
    for (Index n = column_step == 1 ? there : 0; n < width; ++n) copy(k, n);
  }
}

/// One tile: `rows` ≤ tile_rows of them, the last one repeated where fewer.
HWY_INLINE void multiply_tile(const PanelProduct& p, Index first, Index rows) {
  const Index L = lanes(), width = panel_vectors * L;
  const float* x[tile_rows];
  for (int r = 0; r < tile_rows; ++r) x[r] = p.x + (first + (r < rows ? r : rows - 1)) * p.x_stride;

  const bool whole = p.columns >= width;
  const auto part = [&](int c) HWY_ATTR {
    const Index left = p.columns - c * L;
    return Part{static_cast<std::size_t>(left < 0 ? 0 : left < L ? left : L)};
  };
  Vector sum[tile_rows][panel_vectors];
  for (int r = 0; r < tile_rows; ++r) {
    const float* y = p.y + (first + (r < rows ? r : rows - 1)) * p.y_stride;
    for (int c = 0; c < panel_vectors; ++c)
      sum[r][c] = p.start != nullptr ? hn::LoadU(Floats(), p.start + c * L)
                  : whole            ? hn::LoadU(Floats(), y + c * L)
                                     : part(c).load(y + c * L);
  }
  multiply(x, p.panel, width, p.count, sum);
  for (int r = 0; r < rows; ++r) {
    float* y = p.y + (first + r) * p.y_stride;
    for (int c = 0; c < panel_vectors; ++c) {
      if (whole)
        hn::StoreU(sum[r][c], Floats(), y + c * L);
      else
        part(c).store(sum[r][c], y + c * L);
    }
  }
}

void panel_product(const PanelProduct& p) {
  for (Index first = 0; first < p.rows; first += tile_rows)
    multiply_tile(p, first, p.rows - first < tile_rows ? p.rows - first : Index{tile_rows});
}

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::simd {

HWY_EXPORT(tile);
HWY_EXPORT(pack);
HWY_EXPORT(panel_product);

Tile product_tile() {
  return HWY_DYNAMIC_DISPATCH(tile)();
}

void pack_panel(const float* b, std::int64_t row_step, std::int64_t column_step, std::int64_t count,
                std::int64_t left, float* panel) {
  HWY_DYNAMIC_DISPATCH(pack)(b, row_step, column_step, count, left, panel);
}

void multiply_panel(const PanelProduct& p) {
  HWY_DYNAMIC_DISPATCH(panel_product)(p);
}

}  // namespace orrery::simd
#endif
