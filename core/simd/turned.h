// Columns whose terms lie side by side, turned into rows. Included once for each kind of processor, like vector.h; not for the
// one without vectors.
#if defined(ORRERY_CORE_SIMD_TURNED_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_SIMD_TURNED_H_
#undef ORRERY_CORE_SIMD_TURNED_H_
#else
#define ORRERY_CORE_SIMD_TURNED_H_
#endif

#include <cstdint>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
/// Four terms of columns 0, 4, 8 …, one column to a block of the vector.
HWY_INLINE Vector every_fourth(const float* b, std::int64_t column_step) {
  const hn::FixedTag<float, 4> four;
  const auto column = [=](std::int64_t n) HWY_ATTR { return hn::LoadU(four, b + 4 * n * column_step); };
#if HWY_MAX_BYTES >= 64
  const hn::FixedTag<float, 8> eight;
  return hn::Combine(Floats(), hn::Combine(eight, column(3), column(2)),
                     hn::Combine(eight, column(1), column(0)));
#elif HWY_MAX_BYTES >= 32
  return hn::Combine(Floats(), column(1), column(0));
#else
  return column(0);
#endif
}

/// Four rows.
struct Turned {
  Vector v[4];
};

/// Four terms of a vector's worth of columns from b on: every block of four by four is turned.
HWY_INLINE Turned turned(const float* b, std::int64_t column_step) {
  const Floats floats;
  const hn::Repartition<double, Floats> pairs;
  const auto c0 = every_fourth(b, column_step), c1 = every_fourth(b + column_step, column_step),
             c2 = every_fourth(b + 2 * column_step, column_step),
             c3 = every_fourth(b + 3 * column_step, column_step);
  const auto lower01 = hn::BitCast(pairs, hn::InterleaveLower(floats, c0, c1)),
             lower23 = hn::BitCast(pairs, hn::InterleaveLower(floats, c2, c3)),
             upper01 = hn::BitCast(pairs, hn::InterleaveUpper(floats, c0, c1)),
             upper23 = hn::BitCast(pairs, hn::InterleaveUpper(floats, c2, c3));
  return {{hn::BitCast(floats, hn::InterleaveLower(pairs, lower01, lower23)),
           hn::BitCast(floats, hn::InterleaveUpper(pairs, lower01, lower23)),
           hn::BitCast(floats, hn::InterleaveLower(pairs, upper01, upper23)),
           hn::BitCast(floats, hn::InterleaveUpper(pairs, upper01, upper23))}};
}
#endif

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
