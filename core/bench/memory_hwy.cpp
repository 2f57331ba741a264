#include "core/bench/memory_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/bench/memory_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::bench::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

void copy_loop(const float* from, float* to, std::size_t count, bool streamed) {
  // Asked for a page ahead, as ops do that stream: without it some passed this copy on an Intel processor.
  constexpr std::size_t ahead = 1024;
  if (streamed)
    return fill<true>(to, count, [from](auto at, std::size_t j) HWY_ATTR {
      fetch(from + j + ahead);
      return at.load(from + j);
    });
  fill<false>(to, count, [from](auto at, std::size_t j) HWY_ATTR { return at.load(from + j); });
}

void ones_loop(float* to, std::size_t count) {
  fill<true>(to, count, [](auto, std::size_t) HWY_ATTR { return all(1); });
}

}  // namespace orrery::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::bench {

HWY_EXPORT(copy_loop);
HWY_EXPORT(ones_loop);

void copy_floats(const float* from, float* to, std::size_t count, bool streamed) {
  HWY_DYNAMIC_DISPATCH(copy_loop)(from, to, count, streamed);
}
void stream_ones(float* to, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(ones_loop)(to, count);
}

}  // namespace orrery::bench
#endif
