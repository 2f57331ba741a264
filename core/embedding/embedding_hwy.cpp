#include "core/embedding/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/embedding/embedding_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::embedding::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// Each row, changed by f. Rows of a long table come in an order that no processor foresees: the lines of one that is
/// wanted soon are asked for, in the first cache: from the second they are late (by a fifth of the time, where the table is
/// in memory).
template <class F>
HWY_INLINE void each(const TableRows& rows, const F& f) {
  constexpr std::int64_t ahead = 4;
  const auto row_of = [&](std::int64_t n) HWY_ATTR { return rows.table + rows.ids[n] * rows.table_stride; };
  for (std::int64_t n = 0; n < rows.count; ++n) {
    const float *const values = row_of(n), *const soon = row_of(HWY_MIN(n + ahead, rows.count - 1));
    const auto value = [&](auto at, std::size_t j) HWY_ATTR {
      fetch_near(soon + j);
      return f(at.load(values + j));
    };
    float* const to = rows.to + n * rows.to_stride;
    rows.streamed ? fill<true>(to, rows.width, value) : fill<false>(to, rows.width, value);
  }
}

void copy(const TableRows& rows) {
  each(rows, [](Vector v) HWY_ATTR { return v; });
}

void scale(const TableRows& rows, double factor) {
  const WideVector s = hn::Set(Doubles(), factor);
  each(rows, [s](Vector v) HWY_ATTR {
#if HWY_TARGET == HWY_SCALAR
    return hn::DemoteTo(Floats(), hn::Mul(hn::PromoteTo(Doubles(), v), s));
#else
    const hn::Half<Floats> half;
    const auto scaled = [s, half](auto part) HWY_ATTR { return hn::DemoteTo(half, hn::Mul(hn::PromoteTo(Doubles(), part), s)); };
    return hn::Combine(Floats(), scaled(hn::UpperHalf(half, v)), scaled(hn::LowerHalf(half, v)));
#endif
  });
}

}  // namespace orrery::embedding::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::embedding {

HWY_EXPORT(copy);
HWY_EXPORT(scale);

void copy_rows(const TableRows& rows) {
  HWY_DYNAMIC_DISPATCH(copy)(rows);
}

void scale_rows(const TableRows& rows, double factor) {
  HWY_DYNAMIC_DISPATCH(scale)(rows, factor);
}

}  // namespace orrery::embedding
#endif
