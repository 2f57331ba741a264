#include "core/embedding/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/embedding/embedding_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::embedding::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// to = f(values). Rows of a long table come in an order that no processor foresees: the lines of one that is wanted soon
/// are asked for, in the first cache: from the second they are late (by a fifth of the time, where the table is in memory).
template <class F>
HWY_INLINE void each(const TableRow& row, const F& f) {
  const auto value = [&](auto at, std::size_t j) HWY_ATTR {
    fetch_near(row.soon + j);
    return f(at.load(row.values + j));
  };
  row.streamed ? fill<true>(row.to, row.count, value) : fill<false>(row.to, row.count, value);
}

void copy(const TableRow& row) {
  each(row, [](Vector v) HWY_ATTR { return v; });
}

void scale(const TableRow& row, double factor) {
  const WideVector s = hn::Set(Doubles(), factor);
  each(row, [s](Vector v) HWY_ATTR {
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

void copy_row(const TableRow& row) {
  HWY_DYNAMIC_DISPATCH(copy)(row);
}

void scale_row(const TableRow& row, double factor) {
  HWY_DYNAMIC_DISPATCH(scale)(row, factor);
}

}  // namespace orrery::embedding
#endif
