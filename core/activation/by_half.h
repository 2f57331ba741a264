// Activations by a table of the half left of 0, for processors whose registers are half as wide. Included once for each kind of processor, like core/simd/vector.h.
#if defined(ORRERY_CORE_ACTIVATION_BY_HALF_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ACTIVATION_BY_HALF_H_
#undef ORRERY_CORE_ACTIVATION_BY_HALF_H_
#else
#define ORRERY_CORE_ACTIVATION_BY_HALF_H_
#endif

#include <cstddef>
#include <cstdint>

#include "core/activation/by_table.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::activation::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2

using HalfLanes = hn::Mask<Floats>;

class HalfTable {
 public:
  explicit HalfTable(const HalfPieces& pieces) : pieces_(pieces) {}

  HWY_INLINE auto holds_near(Vector v) const { return hn::Lt(hn::Abs(v), all(HalfPieces::near_limit)); }
  HWY_INLINE auto holds(Vector v) const { return hn::Lt(hn::Abs(v), all(HalfPieces::far_limit)); }

  /// f(v), where it holds them near.
  HWY_INLINE Vector near(Vector v) const {
    const Place at = place_of(v);
    Vector p = of_near(HalfPieces::near_degree, at);
#pragma GCC unroll 8
    for (int k = HalfPieces::near_degree - 1; k >= 0; --k) p = hn::MulAdd(p, at.left, of_near(k, at));
    return both_sides(v, p);
  }

  /// f(v), where it holds them: near by the same operations as if all were, for a coefficient that is 0 adds nothing.
  HWY_INLINE Vector anywhere(Vector v) const {
    const Place at = place_of(v);
    const auto far = hn::Not(holds_near(v));
    Vector p = hn::IfThenElseZero(far, of_far(HalfPieces::far_degree, at));
#pragma GCC unroll 8
    for (int k = HalfPieces::near_degree; k >= 0; --k)
      p = hn::MulAdd(p, at.left, hn::IfThenElse(far, of_far(k, at), of_near(k, at)));
    return both_sides(v, p);
  }

 private:
  /// Of −|v|: how far it is from the middle of its piece, whose number is in the low bits of `piece`.
  struct Place {
    Vector left;
    __m256i piece;
  };
  HWY_INLINE Place place_of(Vector v) const {
    const Vector round = all(rounder * HalfPieces::width), x = hn::Or(v, all(-0.0f));
    const Vector piece = hn::Add(x, round);
    return {hn::Sub(x, hn::Sub(piece, round)), _mm256_castps_si256(piece.raw)};
  }

  /// The instruction looks at the lowest three bits of `piece` only.
  HWY_INLINE Vector of_near(int k, const Place& at) const {
    return Vector{_mm256_permutevar8x32_ps(_mm256_load_ps(pieces_.near[k]), at.piece)};
  }
  HWY_INLINE Vector of_far(int k, const Place& at) const {
    return Vector{_mm256_permutevar8x32_ps(_mm256_load_ps(pieces_.far[k]), at.piece)};
  }

  /// p = f(−|v|). By the sign's bit: −0 is left of 0.
  HWY_INLINE Vector both_sides(Vector v, Vector p) const {
    return Vector{_mm256_blendv_ps(hn::Add(v, p).raw, p.raw, v.raw)};
  }

  const HalfPieces& pieces_;
};

/// Values that neither the table holds nor the ends, pressed together from several vectors, for they are few: f is worked out of
/// whole vectors of them, and each goes to its place.
template <class F>
class Scattered {
 public:
  Scattered(const PressedLanes& pressed, const Run& row, F f) : pressed_(pressed), row_(row), f_(f) {}

  bool is_full() const { return count_ > most - lanes; }

  HWY_INLINE void add(std::size_t at, Vector x, HalfLanes wanted) {
    const int mask = _mm256_movemask_ps(wanted.raw);
    const __m256i lane =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(pressed_.of[mask])));
    const __m256i place = _mm256_add_epi32(lane, _mm256_set1_epi32(static_cast<int>(at)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(at_ + count_), place);
    _mm256_storeu_ps(x_ + count_, _mm256_permutevar8x32_ps(x.raw, lane));
    // y may lie where the gate does, and be written before.
    if (row_.gate != nullptr)
      _mm256_storeu_ps(gate_ + count_, _mm256_permutevar8x32_ps(_mm256_loadu_ps(row_.gate + at), lane));
    count_ += hn::CountTrue(Floats(), wanted);
  }

  void finish() {
    hn::StoreU(hn::Zero(Floats()), Floats(), x_ + count_);  // what lies there may be slow to compute with
    for (std::size_t j = 0; j < count_; j += lanes) {
      Vector v = f_(hn::LoadU(Floats(), x_ + j));
      if (row_.gate != nullptr) v = hn::Mul(v, hn::LoadU(Floats(), gate_ + j));
      hn::StoreU(v, Floats(), x_ + j);
    }
    for (std::size_t i = 0; i < count_; ++i) row_.y[at_[i]] = x_[i];
    count_ = 0;
  }

 private:
  static constexpr std::size_t lanes = 8, most = 256;

  const PressedLanes& pressed_;
  const Run& row_;
  const F f_;
  std::size_t count_ = 0;
  // Whole vectors are written and read behind the last number.
  alignas(32) std::int32_t at_[most + lanes] = {};
  alignas(32) float gate_[most + lanes] = {}, x_[most + lanes] = {};
};

/// By the table where it reaches, beyond the ends by what is known there, else by the formula, which says the same: every
/// value by itself, whatever its neighbours are.
template <bool streamed, class F>
void by_half(const HalfPieces& pieces, const PressedLanes& pressed, const Run& row, Ends ends, F f) {
  const HalfTable table(pieces);
  constexpr std::size_t lanes = 8;
  const auto one_by_one = [&](std::size_t from, std::size_t n) HWY_ATTR {
    fill<streamed>(row.y + from, n, [&](auto at, std::size_t j) HWY_ATTR {
      const Vector v = at.load(row.x + from + j);
      return gated(at, hn::IfThenElse(table.holds(v), table.anywhere(v), f(v)), row.gate, from + j);
    });
    return from + n;
  };
  Scattered<F> scattered(pressed, row, f);
  const auto with_far_ones = [&](std::size_t at, Vector x) HWY_ATTR {
    const auto held = table.holds(x);
    const auto beyond = hn::Or(hn::Le(x, all(ends.zero_up_to)), hn::Ge(x, all(ends.itself_from)));
    const auto wanted = hn::Not(hn::Or(held, beyond));  // NaN, too
    const Vector v = hn::IfThenElse(held, table.anywhere(x), hn::CopySign(hn::Max(x, hn::Zero(Floats())), x));
    scattered.add(at, x, wanted);
    put<false>(gated(Whole{}, v, row.gate, at), row.y + at);
    if (scattered.is_full()) scattered.finish();
  };
  std::size_t j = streamed ? one_by_one(0, HWY_MIN(row.count, before_aligned(row.y))) : 0;
  for (; j + beside * lanes <= row.count; j += beside * lanes) {
    const Vector a = Whole{}.load(row.x + j), b = Whole{}.load(row.x + j + lanes);
    if (HWY_LIKELY(hn::AllTrue(Floats(), hn::And(table.holds_near(a), table.holds_near(b))))) {
      put<streamed>(gated(Whole{}, table.near(a), row.gate, j), row.y + j);
      put<streamed>(gated(Whole{}, table.near(b), row.gate, j + lanes), row.y + j + lanes);
      continue;
    }
    with_far_ones(j, a);
    with_far_ones(j + lanes, b);
  }
  scattered.finish();
  one_by_one(j, row.count - j);
}

template <class F>
void by_half(const HalfPieces& pieces, const PressedLanes& pressed, const Run& row, Ends ends, F f) {
  constexpr std::size_t most = std::size_t{1} << 30;  // places are counted in 32 bits
  for (std::size_t from = 0; from < row.count; from += most) {
    const Run part{row.x + from, row.gate == nullptr ? nullptr : row.gate + from, row.y + from,
                   HWY_MIN(most, row.count - from), row.streamed};
    if (row.streamed)
      by_half<true>(pieces, pressed, part, ends, f);
    else
      by_half<false>(pieces, pressed, part, ends, f);
  }
}

#endif

}  // namespace orrery::activation::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
