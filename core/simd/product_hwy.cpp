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

void pack(const float* b, Index row_step, Index column_step, Index count, Index left, float* panel) {
  const Index width = panel_vectors * lanes(), there = left < width ? left : width;
  if (column_step == 1) {
    for (Index k = 0; k < count; ++k, b += row_step, panel += width) {
      std::memcpy(panel, b, static_cast<std::size_t>(there) * sizeof(float));
      for (Index n = there; n < width; ++n) panel[n] = 0;
    }
    return;
  }
  // A transpose: a few terms of every column at a time, so that both sides stay in lines that the cache holds.
  constexpr Index terms = 16;
  for (Index first = 0; first < count; first += terms) {
    const Index end = first + terms < count ? first + terms : count;
    for (Index n = 0; n < width; ++n)
      for (Index k = first; k < end; ++k)
        panel[k * width + n] = n < there ? b[n * column_step + k * row_step] : 0;
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
