// How large the tiles of scores that are nothing but products are, and the panels of keys that they read. Included once for
// each kind of processor, like core/simd/vector.h.
#if defined(ORRERY_CORE_ATTENTION_PLAIN_TILES_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ATTENTION_PLAIN_TILES_H_
#undef ORRERY_CORE_ATTENTION_PLAIN_TILES_H_
#else
#define ORRERY_CORE_ATTENTION_PLAIN_TILES_H_
#endif

#include <cstdint>

#include "core/attention/plain_scores_kernels.h"
#include "core/simd/turned.h"
#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::attention::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

using Index = std::int64_t;

constexpr Index line = 16;  // floats

// A sum for each query and each vector of keys stays in a register: 24 of 32, or 12 of 16. Two vectors of doubles make one of
// floats: a panel's scores are whole vectors.
#if HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM
constexpr int tile_queries = 12;
#else
constexpr int tile_queries = 6;
#endif
constexpr int panel_vectors = HWY_TARGET == HWY_SCALAR ? 1 : 2;
static_assert(most_queries % tile_queries == 0);

/// So many numbers of each query stand side by side, then as many of the next one: all of a tile are reached from one place.
constexpr Index terms_at_a_time = 16;

HWY_INLINE Index doubles() {
  return static_cast<Index>(hn::Lanes(Doubles()));
}
HWY_INLINE Index panel_keys() {
  return panel_vectors * doubles();
}
HWY_INLINE Index keys_together() {
  return HWY_MAX(line, panel_keys());
}

#if HWY_TARGET != HWY_SCALAR
/// A whole panel of keys; the next one is asked for. Returns how many numbers of each key are done.
HWY_INLINE Index turn_panel(const Rows& k, Index first, double* panel) {
  const hn::Half<Floats> half;
  const Index L = doubles(), terms = k.d / 4 * 4;
  const float* const x = k.x + first * k.stride;
  for (Index j = 0; j < terms; j += 4) {
    for (Index n = 0; n < 2 * L && j % line == 0; ++n) fetch_near(x + (2 * L + n) * k.stride + j);
    const Turned t = turned(x + j, k.stride);
    for (int i = 0; i < 4; ++i, panel += 2 * L) {
      hn::Store(hn::PromoteTo(Doubles(), hn::LowerHalf(half, t.v[i])), Doubles(), panel);
      hn::Store(hn::PromoteTo(Doubles(), hn::UpperHalf(half, t.v[i])), Doubles(), panel + L);
    }
  }
  return terms;
}
#else
HWY_INLINE Index turn_panel(const Rows&, Index, double*) {
  return 0;
}
#endif

/// The panels of the keys from `first` on, so many as make whole lines.
HWY_INLINE void write_panels(const Rows& k, Index first, double* panel) {
  const Index width = panel_keys();
  for (Index key = first; key < first + keys_together(); key += width, panel += width * k.d)
    for (Index j = key + width <= k.count ? turn_panel(k, key, panel) : 0; j < k.d; ++j)
      for (Index i = 0; i < width; ++i)
        panel[j * width + i] = key + i < k.count ? static_cast<double>(k.x[(key + i) * k.stride + j]) : 0.0;
}

/// The panels of the keys from `first` on, so many as make whole lines. Whoever comes first writes them; what another
/// thread is at this moment writing is written once more, beside it, instead of waited for.
HWY_INLINE const double* panels_from(const Panels& p, Index first) {
  double* const common = p.numbers + first * p.keys.d;
  // Not std::atomic, whose functions the linker could merge.
  std::uint8_t* const state = p.state + first / keys_together();
  std::uint8_t found = __atomic_load_n(state, __ATOMIC_ACQUIRE);
  if (found == Panels::written) return common;
  const bool is_ours =
      found == Panels::unwritten &&
      __atomic_compare_exchange_n(state, &found, Panels::begun, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  write_panels(p.keys, first, is_ours ? common : p.beside);
  if (is_ours) __atomic_store_n(state, Panels::written, __ATOMIC_RELEASE);
  return is_ours ? common : p.beside;
}

}  // namespace orrery::attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
