// Activations by a table of polynomials in registers, where these hold one, and what becomes of values beyond it. Included once
// for each kind of processor, like core/simd/vector.h.
#if defined(ORRERY_CORE_ACTIVATION_BY_TABLE_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CORE_ACTIVATION_BY_TABLE_H_
#undef ORRERY_CORE_ACTIVATION_BY_TABLE_H_
#else
#define ORRERY_CORE_ACTIVATION_BY_TABLE_H_
#endif

#include <cstddef>

#include "core/activation/kernels.h"
#include "core/activation/pieces.h"
#include "core/simd/exp.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::activation::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// What an activated value lets pass in a gated unit; nothing else is there, without a gate.
template <class At>
HWY_INLINE Vector gated(At at, Vector v, const float* gate, std::size_t j) {
  return gate == nullptr ? v : hn::Mul(v, at.load(gate + j));
}

/// From here on f(v) is −0 on the left and v on the right, and the formula says so to the bit.
struct Ends {
  float zero_up_to, itself_from;
};

#if HWY_TARGET <= HWY_AVX3  // two of its registers hold a coefficient of all pieces

using Lanes = hn::Mask<Floats>;

template <int degree>
class Table {
 public:
  explicit Table(const Pieces& pieces) {
    for (int k = 0; k <= degree; ++k) {
      lower_[k] = hn::Load(Floats(), pieces.coefficient[k]);
      upper_[k] = hn::Load(Floats(), pieces.coefficient[k] + Pieces::count / 2);
    }
  }

  HWY_INLINE auto holds(Vector v) const { return hn::Lt(hn::Abs(v), all(Pieces::limit)); }

  /// v = f(v), where it holds them.
  template <int N>
  HWY_INLINE void operator()(Vector (&v)[N]) const {
    // Adding it rounds to a multiple of the width, which is left in the low bits of the sum.
    const Vector round = all(rounder * Pieces::width);
    Vector piece[N], p[N];
#pragma GCC unroll 4
    for (int i = 0; i < N; ++i) {
      piece[i] = hn::Add(v[i], round);
      v[i] = hn::Sub(v[i], hn::Sub(piece[i], round));
      p[i] = coefficient(degree, piece[i]);
    }
#pragma GCC unroll 8
    for (int k = degree - 1; k >= 0; --k)
#pragma GCC unroll 4
      for (int i = 0; i < N; ++i) p[i] = hn::MulAdd(p[i], v[i], coefficient(k, piece[i]));
#pragma GCC unroll 4
    for (int i = 0; i < N; ++i) v[i] = p[i];
  }

 private:
  /// The instruction looks at the lowest five bits of `piece` only.
  HWY_INLINE Vector coefficient(int k, Vector piece) const {
    return Vector{_mm512_permutex2var_ps(lower_[k].raw, _mm512_castps_si512(piece.raw), upper_[k].raw)};
  }

  Vector lower_[degree + 1], upper_[degree + 1];
};

/// Groups of vectors some of whose lanes neither the table holds nor the ends: what these lanes need of the formula is
/// gathered from several groups, for they are few.
template <bool streamed, class F>
class Postponed {
 public:
  Postponed(const Run& row, Ends ends, F f) : row_(row), ends_(ends), f_(f) {}

  bool is_full() const { return groups_ == most_groups; }

  /// Those from `at` on: x, and f(x) where the table holds it.
  HWY_INLINE void add(std::size_t at, const Vector (&x)[beside], const Lanes (&held)[beside],
                      const Vector (&by_table)[beside]) {
    at_[groups_] = at;
#pragma GCC unroll 4
    for (int i = 0; i < beside; ++i) {
      const Lanes beyond = hn::Or(hn::Le(x[i], all(ends_.zero_up_to)), hn::Ge(x[i], all(ends_.itself_from)));
      const Vector end = hn::CopySign(hn::Max(x[i], hn::Zero(Floats())), x[i]);
      const std::size_t vector = groups_ * beside + i;
      hn::Store(hn::IfThenElse(held[i], by_table[i], end), Floats(), known_ + vector * lanes);
      left_[vector] = hn::Not(hn::Or(held[i], beyond)).raw;  // NaN, too
      _mm512_storeu_ps(x_ + count_, _mm512_maskz_compress_ps(left_[vector], x[i].raw));
      count_ += hn::CountTrue(Floats(), Lanes{left_[vector]});
    }
    ++groups_;
  }

  void finish() {
    hn::StoreU(hn::Zero(Floats()), Floats(), x_ + count_);  // what lies there may be slow to compute with
    for (std::size_t j = 0; j < count_; j += lanes)
      hn::StoreU(f_(hn::LoadU(Floats(), x_ + j)), Floats(), x_ + j);
    const float* from = x_;
    for (std::size_t vector = 0; vector < groups_ * beside; ++vector) {
      const __mmask16 left = left_[vector];
      const __m512 v =
          _mm512_mask_expand_ps(_mm512_load_ps(known_ + vector * lanes), left, _mm512_loadu_ps(from));
      from += hn::CountTrue(Floats(), Lanes{left});
      const std::size_t at = at_[vector / beside] + vector % beside * lanes;
      put<streamed>(gated(Whole{}, Vector{v}, row_.gate, at), row_.y + at);
    }
    groups_ = count_ = 0;
  }

 private:
  static constexpr std::size_t lanes = 16, most_groups = 8, most = most_groups * beside * lanes;

  const Run& row_;
  const Ends ends_;
  const F f_;
  std::size_t groups_ = 0, count_ = 0;
  std::size_t at_[most_groups];
  __mmask16 left_[most_groups * beside];
  alignas(64) float known_[most],
      x_[most + lanes];  // whole vectors are written and read behind the last number
};

#endif

}  // namespace orrery::activation::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
