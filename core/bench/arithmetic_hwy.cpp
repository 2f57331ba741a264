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
float multiply_add_loop(double flops) {
  constexpr int sums = 12;
  const double each_round = 2.0 * sums * static_cast<double>(hn::Lanes(Floats()));
  const auto rounds = static_cast<std::int64_t>(flops / each_round) + 1;
  const Vector factor = all(0.999f), term = all(0.001f);
  Vector sum[sums];
  for (int i = 0; i < sums; ++i) sum[i] = all(static_cast<float>(i));
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < sums; ++i) sum[i] = hn::MulAdd(sum[i], factor, term);
  }
  Vector total = sum[0];
  for (int i = 1; i < sums; ++i) total = hn::Add(total, sum[i]);
  return hn::GetLane(total);
}

}  // namespace orrery::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

namespace orrery::bench {

HWY_EXPORT(multiply_add_loop);

void multiply_adds(double flops) {
  float total = 0;
  // Not simd::share: what is timed is every thread at work, whatever there is to do.
#pragma omp parallel reduction(+ : total)
  total += HWY_DYNAMIC_DISPATCH(multiply_add_loop)(flops / omp_get_num_threads());
  // A volatile is written, so the loop is run.
  [[maybe_unused]] volatile float kept = total;
}

}  // namespace orrery::bench
#endif
