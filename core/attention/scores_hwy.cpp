#include "core/attention/scores_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/scores_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/multiply.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

DotsTile tile() {
  return {tile_rows, panel_vectors * static_cast<std::int64_t>(hn::Lanes(Doubles()))};
}

void dots_of_block(const Dots& b, std::int64_t first, std::int64_t end) {
  const std::int64_t L = static_cast<std::int64_t>(hn::Lanes(Doubles())), width = panel_vectors * L;
  const double* rows[tile_rows];
  for (int r = 0; r < tile_rows; ++r)
    rows[r] = b.q + HWY_MIN(static_cast<std::int64_t>(r), b.queries - 1) * b.d;
  for (std::int64_t key = first; key < end; key += width) {
    WideVector sum[tile_rows][panel_vectors];
    clear(sum);
    multiply(rows, b.panels + key * b.d, width, b.d, sum);
#pragma GCC unroll 8
    for (int r = 0; r < tile_rows; ++r)
#pragma GCC unroll 4
      for (int c = 0; c < panel_vectors; ++c)
        hn::StoreU(sum[r][c], Doubles(), b.out + r * b.stride + key + c * L);
  }
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(tile);
HWY_EXPORT(dots_of_block);

DotsTile dots_tile() {
  return HWY_DYNAMIC_DISPATCH(tile)();
}

void dots(const Dots& block, std::int64_t first, std::int64_t end) {
  HWY_DYNAMIC_DISPATCH(dots_of_block)(block, first, end);
}

}  // namespace orrery::attention
#endif
