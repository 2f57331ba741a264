#include "core/bench/norm_passes_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/bench/norm_passes_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::bench::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

double mean_loop(const float* x, std::size_t count) {
  Sums<1> sums;
  sums.clear();
  sums.over(0, count,
            [x](auto at, std::size_t j, Vector* sum) HWY_ATTR { sum[0] = hn::Add(sum[0], at.load(x + j)); });
  return sums.total(0) / static_cast<double>(count);
}

void less_loop(const float* x, float by, float* y, std::size_t count) {
  fill<false>(y, count,
              [x, by](auto at, std::size_t j) HWY_ATTR { return hn::Sub(at.load(x + j), all(by)); });
}

void times_loop(const float* x, float by, float* y, std::size_t count) {
  fill<false>(y, count,
              [x, by](auto at, std::size_t j) HWY_ATTR { return hn::Mul(at.load(x + j), all(by)); });
}

void product_loop(const float* x, const float* w, float* y, std::size_t count) {
  fill<false>(y, count,
              [x, w](auto at, std::size_t j) HWY_ATTR { return hn::Mul(at.load(x + j), at.load(w + j)); });
}

void sum_loop(const float* x, const float* b, float* y, std::size_t count) {
  fill<false>(y, count,
              [x, b](auto at, std::size_t j) HWY_ATTR { return hn::Add(at.load(x + j), at.load(b + j)); });
}

}  // namespace orrery::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::bench {

HWY_EXPORT(mean_loop);
HWY_EXPORT(less_loop);
HWY_EXPORT(times_loop);
HWY_EXPORT(product_loop);
HWY_EXPORT(sum_loop);

double row_mean(const float* x, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(mean_loop)(x, count);
}
void row_less(const float* x, float by, float* y, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(less_loop)(x, by, y, count);
}
void row_times(const float* x, float by, float* y, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(times_loop)(x, by, y, count);
}
void row_product(const float* x, const float* w, float* y, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(product_loop)(x, w, y, count);
}
void row_sum(const float* x, const float* b, float* y, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(sum_loop)(x, b, y, count);
}

}  // namespace orrery::bench
#endif
