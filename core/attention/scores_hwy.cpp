#include <limits>

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

/// As many doubles as a vector has floats, times a factor, rounded to float.
HWY_INLINE Vector narrowed(const double* p, WideVector factor) {
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(Floats(), hn::Mul(hn::LoadU(Doubles(), p), factor));
#else
  const hn::Half<Floats> half;
  const auto lower = hn::DemoteTo(half, hn::Mul(hn::LoadU(Doubles(), p), factor)),
             upper = hn::DemoteTo(half, hn::Mul(hn::LoadU(Doubles(), p + hn::Lanes(Doubles())), factor));
  return hn::Combine(Floats(), upper, lower);
#endif
}

template <bool streamed>
void store_row(const PlainScores& row, float* s) {
  const auto hidden = [](auto, std::size_t) HWY_ATTR { return all(-std::numeric_limits<float>::infinity()); };
  fill<streamed>(s, row.first, hidden);
  const WideVector factor = hn::Set(Doubles(), row.factor);
  fill<streamed>(s + row.first, row.end - row.first,
                 [=, dots = row.dots + row.first](auto, std::size_t j)
                     HWY_ATTR { return narrowed(dots + j, factor); });
  fill<streamed>(s + row.end, row.keys - row.end, hidden);
}

void store_plain(const PlainScores& row, float* s) {
  if (row.streamed) return store_row<true>(row, s);
  store_row<false>(row, s);
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(tile);
HWY_EXPORT(dots_of_block);
HWY_EXPORT(store_plain);

DotsTile dots_tile() {
  return HWY_DYNAMIC_DISPATCH(tile)();
}

void dots(const Dots& block, std::int64_t first, std::int64_t end) {
  HWY_DYNAMIC_DISPATCH(dots_of_block)(block, first, end);
}

void store_scores(const PlainScores& row, float* s) {
  HWY_DYNAMIC_DISPATCH(store_plain)(row, s);
}

}  // namespace orrery::attention
#endif
