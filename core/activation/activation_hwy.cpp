#include "core/activation/kernels.h"
#include "core/activation/pieces.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/activation/activation_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/activation/by_half.h"
#include "core/activation/by_table.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::activation::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3

/// How far ahead of its use memory is asked for what is streamed: 4 kB, a page.
constexpr std::size_t ahead = 1024;

/// By the table where it reaches, beyond the ends by what is known there, else by the formula, which says the same: every
/// value by itself, whatever its neighbours are. Vectors go in groups: memory is read and written by four lines then.
template <bool streamed, int degree, class F>
void each(const Pieces& pieces, const Run& row, Ends ends, F f) {
  const Table<degree> table(pieces);
  const std::size_t group = beside * hn::Lanes(Floats());
  const auto one_by_one = [&](std::size_t from, std::size_t n) HWY_ATTR {
    fill<streamed>(row.y + from, n, [&](auto at, std::size_t j) HWY_ATTR {
      Vector v[] = {at.load(row.x + from + j)};
      const auto held = table.holds(v[0]);
      const Vector formula = f(v[0]);
      table(v);
      return gated(at, hn::IfThenElse(held, v[0], formula), row.gate, from + j);
    });
    return from + n;
  };
  Postponed<streamed, F> postponed(row, ends, f);
  std::size_t j = streamed ? one_by_one(0, HWY_MIN(row.count, before_aligned(row.y))) : 0;
  for (; j + group <= row.count; j += group) {
    Vector x[beside], v[beside];
    Lanes held[beside];
#pragma GCC unroll 4
    for (int i = 0; i < beside; ++i) {
      const std::size_t at = j + i * hn::Lanes(Floats());
      if constexpr (streamed) fetch(row.x + at + ahead);
      x[i] = v[i] = Whole{}.load(row.x + at);
      held[i] = table.holds(v[i]);
    }
    auto all_held = held[0];
#pragma GCC unroll 4
    for (int i = 1; i < beside; ++i) all_held = hn::And(all_held, held[i]);
    table(v);
    if (HWY_UNLIKELY(!hn::AllTrue(Floats(), all_held))) {
      postponed.add(j, x, held, v);
      if (postponed.is_full()) postponed.finish();
      continue;
    }
#pragma GCC unroll 4
    for (int i = 0; i < beside; ++i) {
      const std::size_t at = j + i * hn::Lanes(Floats());
      put<streamed>(gated(Whole{}, v[i], row.gate, at), row.y + at);
    }
  }
  postponed.finish();
  one_by_one(j, row.count - j);
}

#else

template <bool streamed, int /*degree*/, class F>
void each(const Pieces& /*pieces*/, const Run& row, Ends /*ends*/, F f) {
  fill<streamed>(row.y, row.count, [=](auto at, std::size_t j) HWY_ATTR {
    return gated(at, f(at.load(row.x + j)), row.gate, j);
  });
}

#endif

template <int degree, class F>
void each(const Pieces& pieces, const Run& row, Ends ends, F f) {
  if (row.streamed) return each<true, degree>(pieces, row, ends, f);
  each<false, degree>(pieces, row, ends, f);
}

void relu_loop(const Run& row) {
  const auto f = [row](auto at, std::size_t j) HWY_ATTR {
    const Vector v = at.load(row.x + j), zero = hn::Zero(Floats());
    return gated(at, hn::IfThenElse(hn::Lt(v, zero), zero, v), row.gate, j);
  };
  if (row.streamed) return fill<true>(row.y, row.count, f);
  fill<false>(row.y, row.count, f);
}

/// v/(1 + exp(q + rest)) for q from −86 to 130, down to the subnormal results: where the exponential is large, it and the 1
/// are kept times 2⁻⁶⁴. Where the result rounds to −0 (v ≥ −110, q above 109), it is a product with 0: an Intel processor loses
/// more than a hundred cycles over one that is too small for any number.
HWY_INLINE Vector over_one_plus_exp(Vector v, Vector q, Vector rest) {
  const auto is_large = hn::Gt(q, all(60));
  const Vector one = hn::IfThenElse(is_large, all(0x1p-64f), all(1));
  const Vector e = exp(q, rest, hn::IfThenElseZero(is_large, all(64)));
  return hn::Mul(hn::Div(v, hn::Add(one, e)), hn::IfThenZeroElse(hn::Ge(q, all(109)), one));
}

// v is held from below where results round to −0: −∞ is not multiplied by 0. Ends: on the left, where that is so; on the right,
// where 1 and the exponential make 1, or the tail is less than half a unit of v.

void silu_loop(const Pieces& pieces, const Run& row) {
  each<silu_degree>(pieces, row, {-110, 17}, [](Vector v) HWY_ATTR {
    const Vector x = at_least(v, -110);
    return over_one_plus_exp(x, hn::Neg(at_most(x, 86)), hn::Zero(Floats()));  // beyond 86 the divisor is 1
  });
}

/// x σ(q) = x/(1 + exp(−q)), q = 2√(2/π)(x + 0.044715x³). An error of q is a relative error of the result, so q is carried
/// in two floats.
void gelu_tanh_loop(const Pieces& pieces, const Run& row) {
  each<gelu_tanh_degree>(pieces, row, {-11, 5.1f}, [](Vector v) HWY_ATTR {
    // −q = v (a + b v²); the upper half of a has few enough bits to be subtracted exactly.
    constexpr double exact_a = -1.5957691216057307, exact_b = -0.07135481627260025;
    constexpr float a = -0x1.988p0f, b = static_cast<float>(exact_b);
    constexpr float a_rest = static_cast<float>(exact_a - a), b_rest = static_cast<float>(exact_b - b);
    const Vector x = at_least(v, -11), x1 = at_most(x, 9.7f);
    const Vector s = hn::Mul(x1, x1), s_rest = product_error(x1, x1, s);
    const Vector bs = hn::Mul(s, all(b));
    const Vector w = hn::Add(bs, all(a));
    Vector w_rest = hn::Add(hn::Sub(all(a), w), bs);
    w_rest = hn::Add(w_rest, product_error(s, all(b), bs));
    w_rest = hn::Add(w_rest, hn::MulAdd(s_rest, all(b), hn::MulAdd(s, all(b_rest), all(a_rest))));
    const Vector q = hn::Mul(x1, w), q_rest = hn::MulAdd(x1, w_rest, product_error(x1, w, q));
    return over_one_plus_exp(x, q, q_rest);
  });
}

/// x Φ(x) = max(x, 0) − |x| (1 − Φ(|x|)). (a + 4) exp(a²/2) (1 − Φ(a)) is a polynomial in t = (a − 4)/(a + 4) for a up to
/// 13.3: the Chebyshev fit of degree 9 (mpmath.chebyfit, 40 digits; relative error 1.2e-8). Further on results have 17 bits
/// and fewer, for which it does.
void gelu_loop([[maybe_unused]] const Pieces& pieces, [[maybe_unused]] const HalfPieces& half,
               [[maybe_unused]] const PressedLanes& pressed, const Run& row) {
  const Ends ends{-14.4f, 5.5f};
  const auto formula = [](Vector v) HWY_ATTR {
    const Vector a = at_most(hn::Abs(v), 14.6f);
    const Vector r = hn::Div(all(1), hn::Add(a, all(4)));
    const Vector t = hn::NegMulAdd(all(8), r, all(1));
    const Vector p = horner(t, all(-0.000115843636838f), 0.000211579291974f, 0.00157770926223f,
                            -0.00352976017834f, -0.00753252098213f, 0.0604068505758f, -0.186522205158f,
                            0.387136705055f, -0.607896635526f, 0.755285137873f);
    const Vector square = hn::Mul(a, a), rest = product_error(a, a, square);
    // Times 2³², so that it is a normal number wherever the result is any.
    const Vector e = exp(hn::Mul(square, all(-0.5f)), hn::Mul(rest, all(-0.5f)), all(-32));
    // From 14.4 on it rounds to 0, and is not multiplied: see over_one_plus_exp.
    const Vector tail = hn::IfThenZeroElse(hn::Ge(a, all(14.4f)), hn::Mul(hn::Mul(hn::Mul(a, r), p), e));
    return hn::CopySign(hn::NegMulAdd(tail, all(0x1p-32f), hn::Max(v, hn::Zero(Floats()))), v);
  };
#if HWY_TARGET == HWY_AVX2  // this formula costs twice the table, those of the others no more than it
  by_half(half, pressed, row, ends, formula);
#else
  each<gelu_degree>(pieces, row, ends, formula);
#endif
}

}  // namespace orrery::activation::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::activation {

HWY_EXPORT(relu_loop);
HWY_EXPORT(silu_loop);
HWY_EXPORT(gelu_loop);
HWY_EXPORT(gelu_tanh_loop);

void relu_floats(const Run& row) {
  HWY_DYNAMIC_DISPATCH(relu_loop)(row);
}
void silu_floats(const Run& row) {
  static const Pieces pieces = pieces_of(Kind::silu, silu_degree);
  HWY_DYNAMIC_DISPATCH(silu_loop)(pieces, row);
}
void gelu_floats(const Run& row) {
  static const Pieces pieces = pieces_of(Kind::gelu, gelu_degree);
  static const HalfPieces half = half_pieces_of(Kind::gelu);
  static const PressedLanes pressed = pressed_lanes();
  HWY_DYNAMIC_DISPATCH(gelu_loop)(pieces, half, pressed, row);
}
void gelu_tanh_floats(const Run& row) {
  static const Pieces pieces = pieces_of(Kind::gelu_tanh, gelu_tanh_degree);
  HWY_DYNAMIC_DISPATCH(gelu_tanh_loop)(pieces, row);
}

}  // namespace orrery::activation
#endif
