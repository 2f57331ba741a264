#include "core/attention/log_sums_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/attention/log_sums_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/exp.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

float largest_in(const float* x, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Floats());
  if (count < lanes) {
    float most = x[0];
    for (std::size_t j = 1; j < count; ++j) most = x[j] > most ? x[j] : most;
    return most;
  }
  Vector a = Whole{}.load(x), b = a;
  std::size_t j = 0;
  for (; j + 2 * lanes <= count; j += 2 * lanes) {
    a = hn::Max(Whole{}.load(x + j), a);
    b = hn::Max(Whole{}.load(x + j + lanes), b);
  }
  if (j + lanes <= count) a = hn::Max(Whole{}.load(x + j), a);
  b = hn::Max(Whole{}.load(x + count - lanes), b);  // what is left, and some again
  return hn::GetLane(hn::MaxOfLanes(Floats(), hn::Max(a, b)));
}

/// Zero past the end of the row.
HWY_INLINE Vector only(Whole /*at*/, Vector v) {
  return v;
}
HWY_INLINE Vector only(Part at, Vector v) {
  return hn::IfThenElseZero(hn::FirstN(Floats(), at.count), v);
}

void sums_of_stretches(const float* x, float factor, std::size_t count, LogSumStretch* stretches) {
  for (std::size_t i = 0; i < count; ++i) {
    LogSumStretch& s = stretches[i];
    const float* const row = x + s.first;
    s.largest = largest_in(row, s.count);
    const Vector top = all(s.largest), times = all(factor);
    Sums<1> sums;
    sums.clear();
    sums.over(0, s.count, [&](auto at, std::size_t j, Vector* sum) HWY_ATTR {
      Vector z[1] = {at_least(hn::Mul(hn::Sub(at.load(row + j), top), times), -125)};
      exp2_scaled<0>(z);
      sum[0] = hn::Add(sum[0], only(at, z[0]));
    });
    s.sum = sums.total(0);
  }
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::attention {

HWY_EXPORT(sums_of_stretches);

void log_sums(const float* x, float factor, std::size_t count, LogSumStretch* stretches) {
  HWY_DYNAMIC_DISPATCH(sums_of_stretches)(x, factor, count, stretches);
}

}  // namespace orrery::attention
#endif
