#include "core/bench/memory_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/bench/memory_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::bench::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

template <bool streamed>
void copy_some(const float* from, float* to, std::size_t count) {
  // Asked for a page ahead, as ops do that stream: without it some passed this copy on an Intel processor.
  constexpr std::size_t ahead = 1024;
  fill<streamed>(to, count, [from](auto at, std::size_t j) HWY_ATTR {
    if constexpr (streamed) fetch(from + j + ahead);
    return at.load(from + j);
  });
}

template <bool streamed>
void write_some(float* to, std::size_t count, float value) {
  fill<streamed>(to, count, [value](auto, std::size_t) HWY_ATTR { return all(value); });
}

Vector sum_of(const float* from, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Floats());
  Vector sums[4] = {all(0), all(0), all(0), all(0)};
  std::size_t j = 0;
  for (; j + 4 * lanes <= count; j += 4 * lanes)
    for (std::size_t k = 0; k < 4; ++k) sums[k] = hn::Add(sums[k], hn::LoadU(Floats(), from + j + k * lanes));
  for (; j < count; j += HWY_MIN(lanes, count - j))
    sums[0] = hn::Add(sums[0], Part{HWY_MIN(lanes, count - j)}.load(from + j));
  return hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
}

/// By pages of what is written, with each its share of what is read, both cut at cache lines.
template <bool streamed>
float move_loop(const Moved& m) {
  constexpr std::size_t page = 1024, line = 16;
  Vector sum = all(0);
  for (std::size_t at = 0, taken = 0; at < m.written; at += page) {
    const std::size_t count = HWY_MIN(page, m.written - at), end = at + count;
    // In double: a product of both counts may pass 64 bits.
    const double share =
        static_cast<double>(end) / static_cast<double>(m.written) * static_cast<double>(m.read);
    const std::size_t up_to =
        end == m.written ? m.read : HWY_MAX(taken, static_cast<std::size_t>(share) / line * line);
    const std::size_t copied = HWY_MIN(up_to - taken, count);
    copy_some<streamed>(m.from + taken, m.to + at, copied);
    write_some<streamed>(m.to + at + copied, count - copied, m.fill);
    if (taken + copied < up_to) sum = hn::Add(sum, sum_of(m.from + taken + copied, up_to - taken - copied));
    taken = up_to;
  }
  return hn::GetLane(hn::SumOfLanes(Floats(), sum));
}

float move_on_target(const Moved& m, bool streamed) {
  if (m.read != m.written) return streamed ? move_loop<true>(m) : move_loop<false>(m);
  (streamed ? copy_some<true> : copy_some<false>)(m.from, m.to, m.written);
  return 0;
}

}  // namespace orrery::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::bench {

HWY_EXPORT(move_on_target);

float move_part(const Moved& part, bool streamed) {
  return HWY_DYNAMIC_DISPATCH(move_on_target)(part, streamed);
}

}  // namespace orrery::bench
#endif
