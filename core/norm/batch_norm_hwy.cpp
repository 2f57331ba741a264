#include <type_traits>

#include "core/norm/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/batch_norm_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::norm::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

// Columns go side by side, as many as a vector holds doubles, and several rows at once: what is kept for each column is
// fetched and stored once for all of them. D is the tag of the doubles: a whole vector, or one for the columns left over.

template <class D>
using Narrow = hn::Rebind<float, D>;

template <class D>
HWY_INLINE hn::Vec<D> load_wide(D d, const float* p) {
  return hn::PromoteTo(d, hn::LoadU(Narrow<D>(), p));
}

/// f(tag, j) for the columns from j on, as many as the tag's vector has lanes.
template <class F>
HWY_INLINE void each_column(std::size_t cols, const F& f) {
  const Doubles whole;
  std::size_t j = 0;
  for (; j + hn::Lanes(whole) <= cols; j += hn::Lanes(whole)) f(whole, j);
  for (; j < cols; ++j) f(hn::CappedTag<double, 1>(), j);
}

/// Adds R rows to the moments of the `seen` rows before them: the moments of the R by two passes over registers, joined by
/// the formula of Chan, Golub, LeVeque.
template <int R>
HWY_INLINE void add_rows(const FloatRows& rows, const float* x, std::size_t seen,
                         const ColumnMoments& moments) {
  const auto before = static_cast<double>(seen);
  const double part = R / (before + R), between = before * part;
  each_column(rows.cols, [&, mean = moments.mean, squares = moments.squares](auto d, std::size_t j) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    V v[R], sum[R];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) sum[r] = v[r] = load_wide(d, x + r * rows.x_stride + j);
#pragma GCC unroll 4
    for (int half = R / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int r = 0; r < half; ++r) sum[r] = hn::Add(sum[r], sum[r + half]);
    const V own = hn::Mul(sum[0], hn::Set(d, 1.0 / R));  // exact: R is a power of two
    V own_squares = hn::Zero(d);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const V centred = hn::Sub(v[r], own);
      own_squares = hn::MulAdd(centred, centred, own_squares);
    }
    const V old = hn::LoadU(d, mean + j), step = hn::Sub(own, old);
    hn::StoreU(hn::MulAdd(step, hn::Set(d, part), old), d, mean + j);
    own_squares = hn::MulAdd(hn::Mul(step, step), hn::Set(d, between), own_squares);
    hn::StoreU(hn::Add(hn::LoadU(d, squares + j), own_squares), d, squares + j);
  });
}

void moments_loop(const FloatRows& rows, const ColumnMoments& moments) {
  constexpr int side_by_side = 8;
  for (std::size_t j = 0; j < rows.cols; ++j) moments.mean[j] = moments.squares[j] = 0;
  const float* x = rows.x;
  std::size_t i = 0;
  for (; i + side_by_side <= rows.count; i += side_by_side, x += side_by_side * rows.x_stride)
    add_rows<side_by_side>(rows, x, i, moments);
  for (; i < rows.count; ++i, x += rows.x_stride) add_rows<1>(rows, x, i, moments);
}

template <bool streamed, int R>
HWY_INLINE void standardise_rows(const FloatRows& rows, const float* x, float* y, const ColumnLine& line) {
  each_column(rows.cols, [&, line](auto d, std::size_t j) HWY_ATTR {
    const auto mean = hn::LoadU(d, line.mean + j), scale = hn::LoadU(d, line.scale + j),
               shift = hn::LoadU(d, line.shift + j);
    hn::Vec<Narrow<decltype(d)>> result[R];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const auto centred = hn::Sub(load_wide(d, x + r * rows.x_stride + j), mean);
      result[r] = hn::DemoteTo(Narrow<decltype(d)>(), hn::MulAdd(centred, scale, shift));
    }
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      float* const to = y + r * rows.y_stride + j;
      put_half<streamed && std::is_same_v<decltype(d), Doubles>>(Narrow<decltype(d)>(), result[r], to);
    }
  });
}

template <bool streamed>
void standardise(const FloatRows& rows, const ColumnLine& line) {
  constexpr int side_by_side = 4;
  const float* x = rows.x;
  float* y = rows.y;
  std::size_t i = 0;
  for (; i + side_by_side <= rows.count; i += side_by_side) {
    standardise_rows<streamed, side_by_side>(rows, x, y, line);
    x += side_by_side * rows.x_stride;
    y += side_by_side * rows.y_stride;
  }
  for (; i < rows.count; ++i, x += rows.x_stride, y += rows.y_stride)
    standardise_rows<streamed, 1>(rows, x, y, line);
}

void standardise_loop(const FloatRows& rows, const ColumnLine& line) {
  rows.streamed ? standardise<true>(rows, line) : standardise<false>(rows, line);
}

}  // namespace orrery::norm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::norm {

HWY_EXPORT(moments_loop);
HWY_EXPORT(standardise_loop);

void column_moments(const FloatRows& rows, const ColumnMoments& moments) {
  HWY_DYNAMIC_DISPATCH(moments_loop)(rows, moments);
}

void standardise_columns(const FloatRows& rows, const ColumnLine& line) {
  HWY_DYNAMIC_DISPATCH(standardise_loop)(rows, line);
}

}  // namespace orrery::norm
#endif
