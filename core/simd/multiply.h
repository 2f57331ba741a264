// The innermost loop of every matrix product: a tile of rows times a panel of columns, all its sums in
// registers. Included once for each kind of processor, like vector.h.
#if defined(ORRERY_CORE_SIMD_MULTIPLY_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_SIMD_MULTIPLY_H_
#undef ORRERY_CORE_SIMD_MULTIPLY_H_
#else
#define ORRERY_CORE_SIMD_MULTIPLY_H_
#endif

#include <cstdint>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

// A sum for each row and each vector of columns stays in a register: 24 of 32, or 12 of 16.
#if HWY_MAX_BYTES >= 64 || HWY_ARCH_ARM
constexpr int tile_rows = 8;
#else
constexpr int tile_rows = 4;
#endif
constexpr int panel_vectors = 3;

HWY_INLINE std::int64_t lanes() {
  return static_cast<std::int64_t>(hn::Lanes(Floats()));
}

/// sum[r][c] += Σ_j a[r][first + j] · column(j, c), `count` terms. T is float or double, Vec a vector of it.
template <class T, class Column, class Vec, int V>
HWY_INLINE void multiply_by(const T* const (&a)[tile_rows], std::int64_t first, std::int64_t count,
                            const Column& column, Vec (&sum)[tile_rows][V]) {
  const hn::DFromV<Vec> tag;
  for (std::int64_t j = 0; j < count; ++j) {
    Vec b[V];
#pragma GCC unroll 4
    for (int c = 0; c < V; ++c) b[c] = column(j, c);
#pragma GCC unroll 8
    for (int r = 0; r < tile_rows; ++r) {
      const Vec x = hn::Set(tag, a[r][first + j]);
#pragma GCC unroll 4
      for (int c = 0; c < V; ++c) sum[r][c] = hn::MulAdd(x, b[c], sum[r][c]);
    }
  }
}

/// The same of terms 0 … count, with column(j, c) read from b, whose rows are b_step apart.
template <class T, class Vec, int V>
HWY_INLINE void multiply(const T* const (&a)[tile_rows], const T* b, std::int64_t b_step, std::int64_t count,
                         Vec (&sum)[tile_rows][V]) {
  const hn::DFromV<Vec> tag;
  const auto L = static_cast<std::int64_t>(hn::Lanes(tag));
  multiply_by(
      a, 0, count, [=](std::int64_t j, int c) HWY_ATTR { return hn::LoadU(tag, b + j * b_step + c * L); },
      sum);
}

template <class Vec, int V>
HWY_INLINE void clear(Vec (&sum)[tile_rows][V]) {
#pragma GCC unroll 8
  for (int r = 0; r < tile_rows; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < V; ++c) sum[r][c] = hn::Zero(hn::DFromV<Vec>());
}

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
