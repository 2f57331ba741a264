#include "core/position/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/position/rope_waves_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::position::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::CappedTag<double, wave_stride>;
using Wave = hn::Vec<Lane>;

/// A vector of distances of one pair: the one before the next step, and the one before that.
struct State {
  Wave now, before, twice;

  HWY_INLINE void step() {
    const Wave next = hn::MulSub(twice, now, before);
    before = now;
    now = next;
  }
};

HWY_INLINE State state_of(const WaveSum& w, std::size_t i, std::size_t lane) {
  const Lane d;
  const double* const turns = w.turns + 4 * wave_stride * i + lane;
  const Wave c = hn::Set(d, w.cos[i]), s = hn::Set(d, w.sin[i]);
  const auto turned = [&](const double* part) HWY_ATTR {
    return hn::MulSub(hn::LoadU(d, part), c, hn::Mul(hn::LoadU(d, part + wave_stride), s));
  };
  return {turned(turns + 2 * wave_stride), turned(turns), hn::Set(d, w.twice[i])};
}

/// Four waves side by side stay in registers: one alone would wait for itself.
void waves_loop(const WaveSum& w) {
  const Lane d;
  for (std::size_t lane = 0; lane < wave_stride; lane += hn::Lanes(d)) {
    std::size_t i = 0;
    for (; i + 4 <= w.pairs; i += 4) {
      State a = state_of(w, i, lane), b = state_of(w, i + 1, lane), e = state_of(w, i + 2, lane),
            f = state_of(w, i + 3, lane);
      for (std::size_t k = 0; k < w.count; k += wave_stride) {
        double* const sums = w.sums + k + lane;
        const Wave four = hn::Add(hn::Add(a.now, b.now), hn::Add(e.now, f.now));
        hn::StoreU(hn::Add(hn::LoadU(d, sums), four), d, sums);
        a.step(), b.step(), e.step(), f.step();
      }
    }
    for (; i < w.pairs; ++i) {
      State one = state_of(w, i, lane);
      for (std::size_t k = 0; k < w.count; k += wave_stride) {
        double* const sums = w.sums + k + lane;
        hn::StoreU(hn::Add(hn::LoadU(d, sums), one.now), d, sums);
        one.step();
      }
    }
  }
}

}  // namespace orrery::position::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::position {

HWY_EXPORT(waves_loop);

void add_waves(const WaveSum& w) {
  HWY_DYNAMIC_DISPATCH(waves_loop)(w);
}

}  // namespace orrery::position
#endif
