// Vectors of floats along a row, for the kernels (*_hwy.cpp): loads that end where the row ends, stores, sums. Highway
// compiles every kernel once for each kind of processor and picks one at start; this file is included once for each, so
// its guard toggles. Nothing here may call Eigen or the standard library's templates: the linker would keep one copy.
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(ORRERY_CORE_SIMD_VECTOR_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_SIMD_VECTOR_H_
#undef ORRERY_CORE_SIMD_VECTOR_H_
#else
#define ORRERY_CORE_SIMD_VECTOR_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orrery::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Doubles = hn::RepartitionToWide<Floats>;
using Vector = hn::Vec<Floats>;
using WideVector = hn::Vec<Doubles>;

HWY_INLINE Vector all(float v) {
  return hn::Set(Floats(), v);
}

/// A vector's worth of a row.
struct Whole {
  HWY_INLINE Vector load(const float* p, float /*rest*/ = 0) const { return hn::LoadU(Floats(), p); }
  HWY_INLINE void store(Vector v, float* p) const { hn::StoreU(v, Floats(), p); }
};

/// The first `count` elements of a vector: what is left at a row's end. The others are loaded as `rest`.
struct Part {
  std::size_t count;

#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_INLINE Vector load(const float* p, float rest = 0) const {
    alignas(64) float buffer[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(all(rest), Floats(), buffer);
    std::memcpy(buffer, p, count * sizeof(float));
    return hn::Load(Floats(), buffer);
  }
  HWY_INLINE void store(Vector v, float* p) const {
    alignas(64) float buffer[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(v, Floats(), buffer);
    std::memcpy(p, buffer, count * sizeof(float));
  }
#else
  HWY_INLINE Vector load(const float* p, float rest = 0) const {
    const auto mine = hn::FirstN(Floats(), count);
    return hn::IfThenElse(mine, hn::MaskedLoad(mine, Floats(), p), all(rest));
  }
  HWY_INLINE void store(Vector v, float* p) const {
    hn::BlendedStore(v, hn::FirstN(Floats(), count), Floats(), p);
  }
#endif
};

/// Asks for the line of p, which is read soon. Into the second cache only: the first is full of what is at work. p may lie
/// past the array. The processor foresees the next lines of a row by itself, but it stops at every page, and where
/// reading pauses for arithmetic or for writing.
HWY_INLINE void fetch(const float* p) {
  __builtin_prefetch(p, 0, 2);
}

/// The same into the first cache, for what is small beside it.
HWY_INLINE void fetch_near(const float* p) {
  __builtin_prefetch(p, 0, 3);
}

/// The line of p will be written, or read and written.
HWY_INLINE void fetch_to_write(const float* p) {
  __builtin_prefetch(p, 1, 3);
}

/// Streamed, it goes past the caches, and p must be aligned to a vector.
template <bool streamed>
HWY_INLINE void put(Vector v, float* p) {
  if constexpr (streamed) {
    hn::Stream(v, Floats(), p);
  } else {
    hn::StoreU(v, Floats(), p);
  }
}

/// Half a vector likewise; of four floats it cannot be streamed, for the instruction writes sixteen bytes.
template <bool streamed, class Half>
HWY_INLINE void put_half(Half half, hn::Vec<Half> v, float* p) {
  if constexpr (streamed && HWY_MAX_BYTES >= 32) {
    hn::Stream(v, half, p);
  } else {
    hn::StoreU(v, half, p);
  }
}

/// How many floats stand before the first vector of y that can be streamed.
HWY_INLINE std::size_t before_aligned(const float* y) {
  const std::size_t lanes = hn::Lanes(Floats());
  return (lanes - reinterpret_cast<std::uintptr_t>(y) / sizeof(float) % lanes) % lanes;
}

/// y = f over `count` elements; f(at, j) gives the elements from j on, at.load(p) reads them.
template <bool streamed, class F>
HWY_INLINE void fill(float* y, std::size_t count, const F& f) {
  const std::size_t lanes = hn::Lanes(Floats());
  std::size_t j = 0;
  if constexpr (streamed) {
    if (const Part head{HWY_MIN(count, before_aligned(y))}; head.count > 0) {
      head.store(f(head, 0), y);
      j = head.count;
    }
  }
  for (; j + lanes <= count; j += lanes) {
    put<streamed>(f(Whole{}, j), y + j);
  }
  if (j < count) Part{count - j}.store(f(Part{count - j}, j), y + j);
}

/// The lanes of a, in double, added in pairs.
HWY_INLINE WideVector widened(Vector a) {
#if HWY_TARGET == HWY_SCALAR
  return hn::PromoteTo(Doubles(), a);
#else
  const hn::Half<Floats> half;
  return hn::Add(hn::PromoteTo(Doubles(), hn::LowerHalf(half, a)),
                 hn::PromoteTo(Doubles(), hn::UpperHalf(half, a)));
#endif
}

HWY_INLINE double sum_of_lanes(WideVector v) {
  return hn::GetLane(hn::SumOfLanes(Doubles(), v));
}

/// A sum of many floats in float and yet exact to a few units: four vectors side by side take four terms in a row each,
/// then the sum goes on in double. So a term takes part in at most six roundings to float, whatever the length and the
/// processor.
constexpr std::size_t terms_in_float = 4;

/// K sums at once, which may go on from one piece of a row to the next: add(at, j, terms) adds the terms of the elements
/// from j on to K vectors.
template <int K>
struct Sums {
  WideVector wide[K];

  HWY_INLINE void clear() {
    for (int k = 0; k < K; ++k) wide[k] = hn::Zero(Doubles());
  }
  HWY_INLINE double total(int k) const { return sum_of_lanes(wide[k]); }

  template <class Add>
  HWY_INLINE void over(std::size_t first, std::size_t end, const Add& add) {
    const std::size_t lanes = hn::Lanes(Floats());
    const Vector zero = hn::Zero(Floats());
    std::size_t j = first;
    for (; j + 4 * terms_in_float * lanes <= end; j += 4 * terms_in_float * lanes) {
      Vector a[K], b[K], c[K], d[K];
      for (int k = 0; k < K; ++k) a[k] = b[k] = c[k] = d[k] = zero;
      for (std::size_t i = 0; i < terms_in_float; ++i) {
        const std::size_t at = j + 2 * i * lanes, half = 2 * terms_in_float * lanes;
        add(Whole{}, at, a);
        add(Whole{}, at + lanes, b);
        add(Whole{}, at + half, c);
        add(Whole{}, at + half + lanes, d);
      }
      for (int k = 0; k < K; ++k)
        wide[k] = hn::Add(wide[k], widened(hn::Add(hn::Add(a[k], b[k]), hn::Add(c[k], d[k]))));
    }
    while (j < end) {
      Vector a[K];
      for (int k = 0; k < K; ++k) a[k] = zero;
      if (j + lanes <= end) {
        add(Whole{}, j, a);
      } else {
        add(Part{end - j}, j, a);
      }
      for (int k = 0; k < K; ++k) wide[k] = hn::Add(wide[k], widened(a[k]));
      j += lanes;
    }
  }
};

}  // namespace orrery::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
