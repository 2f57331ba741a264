#include <hwy/cache_control.h>

#include <cmath>

#include "core/norm/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/norm_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd/vector.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::norm::HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace)

/// Whether a mean square can be trusted: no term has overflowed, and those that matter have all their bits.
bool has_its_bits(double mean_square) {
  return mean_square >= 0x1p-80 && mean_square <= 0x1p100;
}

double mean_square(const float* x, std::size_t count) {
  double total[1];
  sums<1>(count, total, [x](auto at, std::size_t j, Vector* sum) HWY_ATTR {
    const Vector v = at.load(x + j);
    sum[0] = hn::MulAdd(v, v, sum[0]);
  });
  return total[0] / static_cast<double>(count);
}

/// Mean and variance, from sums of x − shift and its square.
struct Moments {
  double mean, variance, square;  ///< square: of x − shift, in the mean
};

Moments moments_about(float shift, const float* x, std::size_t count) {
  double total[2];
  const Vector s = all(shift);
  sums<2>(count, total, [x, s, shift](auto at, std::size_t j, Vector* sum) HWY_ATTR {
    const Vector d = hn::Sub(at.load(x + j, shift), s);
    sum[0] = hn::Add(sum[0], d);
    sum[1] = hn::MulAdd(d, d, sum[1]);
  });
  const double D = static_cast<double>(count), mean = total[0] / D, square = total[1] / D;
  return {shift + mean, square - mean * mean, square};
}

/// A value near the row's mean: that of its first few elements.
float first_guess(const float* x, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Floats()), few = HWY_MIN(count, std::size_t{16});
  Vector sum = hn::Zero(Floats());
  std::size_t j = 0;
  for (; j + lanes <= few; j += lanes) sum = hn::Add(sum, Whole{}.load(x + j));
  if (j < few) sum = hn::Add(sum, Part{few - j}.load(x + j));
  return hn::GetLane(hn::SumOfLanes(Floats(), sum)) / static_cast<float>(few);
}

/// Sums about a shift cancel little where it is within 0.7 σ of the mean; if the guess was not, the mean itself is.
bool find_moments(float guess, const float* x, std::size_t count, Moments& m) {
  m = moments_about(guess, x, count);
  if (m.square > 1.5 * m.variance) m = moments_about(static_cast<float>(m.mean), x, count);
  return has_its_bits(m.square) && m.square <= 1.5 * m.variance;
}

/// What a row is shifted and multiplied by. The mean in two floats: x − upper is as exact as x is, also where the mean is
/// a thousand times σ.
struct Standard {
  Vector mean, mean_rest, rstd;
};

Standard standard(const Moments& m, double eps) {
  const auto upper = static_cast<float>(m.mean);
  return {all(upper), all(static_cast<float>(m.mean - upper)),
          all(static_cast<float>(1 / std::sqrt(m.variance + eps)))};
}

template <bool streamed>
void layer_norm_row(const float* x, float* y, std::size_t count, const float* weight, const float* bias,
                    Standard by) {
  const auto centred = [=](auto at, std::size_t j)
                           HWY_ATTR { return hn::Sub(hn::Sub(at.load(x + j), by.mean), by.mean_rest); };
  const auto scale = [=](auto at, std::size_t j) HWY_ATTR {
    return weight == nullptr ? by.rstd : hn::Mul(at.load(weight + j), by.rstd);
  };
  if (bias == nullptr) {
    fill<streamed>(y, count,
                   [=](auto at, std::size_t j) HWY_ATTR { return hn::Mul(centred(at, j), scale(at, j)); });
  } else {
    fill<streamed>(y, count, [=](auto at, std::size_t j) HWY_ATTR {
      return hn::MulAdd(centred(at, j), scale(at, j), at.load(bias + j));
    });
  }
}

// A row's root and quotient take about as long as its scaling: they are under way while the next row is summed.

template <bool streamed>
std::size_t layer_norm_each(const FloatRows& rows, const float* weight, const float* bias, double eps) {
  const auto row = [&rows](std::size_t i) { return rows.x + i * rows.x_stride; };
  const auto guess = [&](std::size_t i) { return first_guess(row(HWY_MIN(i, rows.count - 1)), rows.cols); };
  Moments m;
  bool found = find_moments(guess(0), row(0), rows.cols, m);
  float next_guess = guess(1);
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (!found) return i;
    const Standard by = standard(m, eps);
    const float shift = next_guess;
    next_guess = guess(i + 2);
    if (i + 1 < rows.count) found = find_moments(shift, row(i + 1), rows.cols, m);
    layer_norm_row<streamed>(row(i), rows.y + i * rows.y_stride, rows.cols, weight, bias, by);
  }
  return rows.count;
}

template <bool streamed>
void rms_norm_row(const float* x, std::size_t next, float* y, std::size_t count, const float* gain,
                  Vector rrms) {
  if (gain == nullptr) {
    fill<streamed>(y, count, [=](auto at, std::size_t j) HWY_ATTR {
      hwy::Prefetch(x + next + j);
      return hn::Mul(at.load(x + j), rrms);
    });
  } else {
    // The gain first: its product with 1/rms is no subnormal, as that of x may be.
    fill<streamed>(y, count, [=](auto at, std::size_t j) HWY_ATTR {
      hwy::Prefetch(x + next + j);
      return hn::Mul(at.load(x + j), hn::Mul(at.load(gain + j), rrms));
    });
  }
}

template <bool streamed>
std::size_t rms_norm_each(const FloatRows& rows, const float* gain, double eps, bool outside) {
  const auto row = [&rows](std::size_t i) { return rows.x + i * rows.x_stride; };
  double square = mean_square(row(0), rows.cols);
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (!has_its_bits(square)) return i;
    const double rms = outside ? std::sqrt(square) + eps : std::sqrt(square + eps);
    const Vector rrms = all(static_cast<float>(1 / rms));
    if (i + 1 < rows.count) square = mean_square(row(i + 1), rows.cols);
    rms_norm_row<streamed>(row(i), 2 * rows.x_stride, rows.y + i * rows.y_stride, rows.cols, gain, rrms);
  }
  return rows.count;
}

std::size_t layer_norm_loop(const FloatRows& rows, const float* weight, const float* bias, double eps) {
  return rows.streamed ? layer_norm_each<true>(rows, weight, bias, eps)
                       : layer_norm_each<false>(rows, weight, bias, eps);
}

std::size_t rms_norm_loop(const FloatRows& rows, const float* gain, double eps, bool outside) {
  return rows.streamed ? rms_norm_each<true>(rows, gain, eps, outside)
                       : rms_norm_each<false>(rows, gain, eps, outside);
}

}  // namespace orrery::norm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::norm {

HWY_EXPORT(layer_norm_loop);
HWY_EXPORT(rms_norm_loop);

std::size_t layer_norm_rows(const FloatRows& rows, const float* weight, const float* bias, double eps) {
  return HWY_DYNAMIC_DISPATCH(layer_norm_loop)(rows, weight, bias, eps);
}

std::size_t rms_norm_rows(const FloatRows& rows, const float* gain, double eps, bool outside) {
  return HWY_DYNAMIC_DISPATCH(rms_norm_loop)(rows, gain, eps, outside);
}

}  // namespace orrery::norm
#endif
