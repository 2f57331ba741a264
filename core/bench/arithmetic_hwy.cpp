#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/bench/arithmetic_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/bench/arithmetic.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::bench::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// Returns a number that depends on every operation, so that none is left out.
template <class Tag>
HWY_INLINE double multiply_add_loop(Tag tag, double flops) {
  using T = hn::TFromD<Tag>;
  using Vec = hn::Vec<Tag>;
  constexpr int sums = 12;
  const double each_round = 2.0 * sums * static_cast<double>(hn::Lanes(tag));
  const auto rounds = static_cast<std::int64_t>(flops / each_round) + 1;
  const Vec factor = hn::Set(tag, static_cast<T>(0.999)), term = hn::Set(tag, static_cast<T>(0.001));
  Vec sum[sums];
  for (int i = 0; i < sums; ++i) sum[i] = hn::Set(tag, static_cast<T>(i));
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < sums; ++i) sum[i] = hn::MulAdd(sum[i], factor, term);
  }
  Vec total = sum[0];
  for (int i = 1; i < sums; ++i) total = hn::Add(total, sum[i]);
  return static_cast<double>(hn::GetLane(total));
}

double loop_in_float(double flops) {
  return multiply_add_loop(Floats(), flops);
}

double loop_in_double(double flops) {
  return multiply_add_loop(Doubles(), flops);
}

}  // namespace orrery::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

namespace orrery::bench {

HWY_EXPORT(loop_in_float);
HWY_EXPORT(loop_in_double);

namespace {

template <class Loop>
void on_all_threads(double flops, Loop loop) {
  double total = 0;
  // Not simd::share: what is timed is every thread at work, whatever there is to do.
#pragma omp parallel reduction(+ : total)
  total += loop(flops / omp_get_num_threads());
  // A volatile is written, so the loop is run.
  [[maybe_unused]] volatile double kept = total;
}

}  // namespace

void multiply_adds(double flops) {
  on_all_threads(flops, [](double own) { return HWY_DYNAMIC_DISPATCH(loop_in_float)(own); });
}

void multiply_adds_in_double(double flops) {
  on_all_threads(flops, [](double own) { return HWY_DYNAMIC_DISPATCH(loop_in_double)(own); });
}

}  // namespace orrery::bench
#endif
