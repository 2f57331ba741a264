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

/// A value near the row's mean: that of its first few elements.
HWY_INLINE float first_guess(const float* x, std::size_t count) {
  const std::size_t lanes = hn::Lanes(Floats()), few = HWY_MIN(count, std::size_t{16});
  Vector sum = hn::Zero(Floats());
  std::size_t j = 0;
  for (; j + lanes <= few; j += lanes) sum = hn::Add(sum, Whole{}.load(x + j));
  if (j < few) sum = hn::Add(sum, Part{few - j}.load(x + j));
  return hn::GetLane(hn::SumOfLanes(Floats(), sum)) / static_cast<float>(few);
}

/// y = f over the elements of a row from `first` to `end`. Streamed, the row that is `ahead` floats further on is fetched.
template <bool streamed, class F>
HWY_INLINE void fill_piece(const float* x, std::size_t ahead, float* y, std::size_t first, std::size_t end,
                           const F& f) {
  fill<streamed>(y + first, end - first, [=](auto at, std::size_t j) HWY_ATTR {
    if constexpr (streamed) fetch(x + ahead + first + j);
    return f(at, first + j);
  });
}

// A norm says what it sums over a row, what follows from the sums, and what it writes. A row is summed and written in
// pieces, from column `first` to `end`.

struct LayerNormKernel {
  const float *weight, *bias;
  double eps;

  /// Of x − shift and its square. About a shift within 0.7 σ of the mean they cancel little.
  struct RowSums {
    float shift;
    Sums<2> sums;

    HWY_INLINE void add(const float* x, std::size_t first, std::size_t end) {
      sums.over(first, end, [x, c = shift, s = all(shift)](auto at, std::size_t j, Vector* sum) HWY_ATTR {
        const Vector d = hn::Sub(at.load(x + j, c), s);
        sum[0] = hn::Add(sum[0], d);
        sum[1] = hn::MulAdd(d, d, sum[1]);
      });
    }
  };

  /// What a row is shifted and multiplied by. The mean in two floats: x − upper is as exact as x is, also where the mean
  /// is a thousand times σ.
  struct Standard {
    Vector mean, mean_rest, rstd;
  };

  static HWY_INLINE void start(RowSums& row, float shift) {
    row.shift = shift;
    row.sums.clear();
  }
  static HWY_INLINE void start(RowSums& row, const float* x, std::size_t cols) {
    start(row, first_guess(x, cols));
  }

  HWY_INLINE bool finish(const RowSums& row, const float* x, std::size_t cols, Standard& by) const {
    Moments m = moments(row, cols);
    // If the guess was not near the mean, what came of it is.
    if (m.square > 1.5 * m.variance) m = moments_about(static_cast<float>(m.mean), x, cols);
    const auto upper = static_cast<float>(m.mean);
    by = {all(upper), all(static_cast<float>(m.mean - upper)),
          all(static_cast<float>(1 / std::sqrt(m.variance + eps)))};
    return has_its_bits(m.square) && m.square <= 1.5 * m.variance;
  }

  template <bool streamed>
  HWY_INLINE void write(const Standard& by, const float* x, std::size_t ahead, float* y, std::size_t first,
                        std::size_t end) const {
    const auto centred = [=](auto at, std::size_t j)
                             HWY_ATTR { return hn::Sub(hn::Sub(at.load(x + j), by.mean), by.mean_rest); };
    const auto scale = [w = weight, r = by.rstd](auto at, std::size_t j)
                           HWY_ATTR { return w == nullptr ? r : hn::Mul(at.load(w + j), r); };
    if (bias == nullptr) {
      fill_piece<streamed>(x, ahead, y, first, end, [=](auto at, std::size_t j) HWY_ATTR {
        return hn::Mul(centred(at, j), scale(at, j));
      });
    } else {
      fill_piece<streamed>(x, ahead, y, first, end, [=, b = bias](auto at, std::size_t j) HWY_ATTR {
        return hn::MulAdd(centred(at, j), scale(at, j), at.load(b + j));
      });
    }
  }

 private:
  struct Moments {
    double mean, variance, square;  ///< square: of x − shift, in the mean
  };

  static HWY_INLINE Moments moments(const RowSums& row, std::size_t cols) {
    const double D = static_cast<double>(cols), offset = row.sums.total(0) / D,
                 square = row.sums.total(1) / D;
    return {row.shift + offset, square - offset * offset, square};
  }
  static HWY_NOINLINE Moments moments_about(float shift, const float* x, std::size_t cols) {
    RowSums row;
    start(row, shift);
    row.add(x, 0, cols);
    return moments(row, cols);
  }
};

struct RmsNormKernel {
  const float* gain;
  double eps;
  bool outside;

  struct RowSums {
    Sums<1> sums;

    HWY_INLINE void add(const float* x, std::size_t first, std::size_t end) {
      sums.over(first, end, [x](auto at, std::size_t j, Vector* sum) HWY_ATTR {
        const Vector v = at.load(x + j);
        sum[0] = hn::MulAdd(v, v, sum[0]);
      });
    }
  };

  using Standard = Vector;  ///< 1/rms

  static HWY_INLINE void start(RowSums& row, const float* /*x*/, std::size_t /*cols*/) { row.sums.clear(); }

  HWY_INLINE bool finish(const RowSums& row, const float* /*x*/, std::size_t cols, Standard& rrms) const {
    const double square = row.sums.total(0) / static_cast<double>(cols);
    const double rms = outside ? std::sqrt(square) + eps : std::sqrt(square + eps);
    rrms = all(static_cast<float>(1 / rms));
    return has_its_bits(square);
  }

  template <bool streamed>
  HWY_INLINE void write(const Standard& rrms, const float* x, std::size_t ahead, float* y, std::size_t first,
                        std::size_t end) const {
    if (gain == nullptr) {
      fill_piece<streamed>(x, ahead, y, first, end,
                           [=](auto at, std::size_t j) HWY_ATTR { return hn::Mul(at.load(x + j), rrms); });
    } else {
      // The gain first: its product with 1/rms is no subnormal, as that of x may be.
      fill_piece<streamed>(x, ahead, y, first, end, [=, w = gain](auto at, std::size_t j) HWY_ATTR {
        return hn::Mul(at.load(x + j), hn::Mul(at.load(w + j), rrms));
      });
    }
  }
};

/// The root mean square's sums, and a factor that is one for the row.
struct ScaleNormKernel {
  double gain, eps;

  using RowSums = RmsNormKernel::RowSums;
  using Standard = Vector;

  static HWY_INLINE void start(RowSums& row, const float* /*x*/, std::size_t /*cols*/) { row.sums.clear(); }

  HWY_INLINE bool finish(const RowSums& row, const float* /*x*/, std::size_t cols, Standard& by) const {
    const double square = row.sums.total(0), norm = std::sqrt(square),
                 factor = gain / (norm > eps ? norm : eps);
    by = all(static_cast<float>(factor));
    const double size = factor < 0 ? -factor : factor;
    return has_its_bits(square / static_cast<double>(cols)) && size >= 0x1p-126 && size <= 0x1p127;
  }

  template <bool streamed>
  HWY_INLINE void write(const Standard& by, const float* x, std::size_t ahead, float* y, std::size_t first,
                        std::size_t end) const {
    fill_piece<streamed>(x, ahead, y, first, end,
                         [=](auto at, std::size_t j) HWY_ATTR { return hn::Mul(at.load(x + j), by); });
  }
};

// A row is written while the next is summed, a piece of each in turn: so memory has both to read and to write all the time,
// and what must wait for a root has other work.

template <class Norm>
std::size_t one_by_one(const FloatRows& rows, const Norm& norm) {
  constexpr std::size_t piece = 256;
  const float* x = rows.x;
  float* y = rows.y;
  typename Norm::RowSums sums;
  typename Norm::Standard by;
  norm.start(sums, x, rows.cols);
  sums.add(x, 0, rows.cols);
  for (std::size_t i = 0; i < rows.count; ++i, x += rows.x_stride, y += rows.y_stride) {
    if (!norm.finish(sums, x, rows.cols, by)) return i;
    const float* const next = i + 1 < rows.count ? x + rows.x_stride : x;
    norm.start(sums, next, rows.cols);
    for (std::size_t first = 0; first < rows.cols; first += piece) {
      const std::size_t end = HWY_MIN(first + piece, rows.cols);
      sums.add(next, first, end);
      norm.template write<false>(by, x, 0, y, first, end);
    }
  }
  return rows.count;
}

/// Streamed, several rows go side by side: memory gives more to several streams than to one, and a piece of the weights
/// serves them all from the first cache.
template <class Norm>
std::size_t side_by_side(const FloatRows& rows, const Norm& norm) {
  constexpr std::size_t most = 4, piece = 1024;
  const auto row = [&rows](std::size_t i) { return rows.x + i * rows.x_stride; };
  typename Norm::RowSums sums[most];
  typename Norm::Standard by[most];

  std::size_t done = 0, count = HWY_MIN(most, rows.count);
  for (std::size_t r = 0; r < count; ++r) {
    norm.start(sums[r], row(r), rows.cols);
    sums[r].add(row(r), 0, rows.cols);
  }
  while (count > 0) {
    std::size_t good = 0;
    while (good < count && norm.finish(sums[good], row(done + good), rows.cols, by[good])) ++good;
    const std::size_t next = good < count ? 0 : HWY_MIN(most, rows.count - done - count);
    for (std::size_t r = 0; r < next; ++r) norm.start(sums[r], row(done + count + r), rows.cols);
    for (std::size_t first = 0; first < rows.cols; first += piece) {
      const std::size_t end = HWY_MIN(first + piece, rows.cols);
      for (std::size_t r = 0; r < good; ++r) {
        if (r < next) sums[r].add(row(done + count + r), first, end);
        norm.template write<true>(by[r], row(done + r), 2 * most * rows.x_stride,
                                  rows.y + (done + r) * rows.y_stride, first, end);
      }
    }
    done += good;
    count = next;
  }
  return done;
}

template <class Norm>
std::size_t norm_rows(const FloatRows& rows, const Norm& norm) {
  return rows.streamed ? side_by_side(rows, norm) : one_by_one(rows, norm);
}

std::size_t layer_norm_loop(const FloatRows& rows, const float* weight, const float* bias, double eps) {
  return norm_rows(rows, LayerNormKernel{weight, bias, eps});
}

std::size_t scale_norm_loop(const FloatRows& rows, double gain, double eps) {
  return norm_rows(rows, ScaleNormKernel{gain, eps});
}

std::size_t rms_norm_loop(const FloatRows& rows, const float* gain, double eps, bool outside) {
  return norm_rows(rows, RmsNormKernel{gain, eps, outside});
}

}  // namespace orrery::norm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orrery::norm {

HWY_EXPORT(layer_norm_loop);
HWY_EXPORT(rms_norm_loop);
HWY_EXPORT(scale_norm_loop);

std::size_t layer_norm_rows(const FloatRows& rows, const float* weight, const float* bias, double eps) {
  return HWY_DYNAMIC_DISPATCH(layer_norm_loop)(rows, weight, bias, eps);
}

std::size_t rms_norm_rows(const FloatRows& rows, const float* gain, double eps, bool outside) {
  return HWY_DYNAMIC_DISPATCH(rms_norm_loop)(rows, gain, eps, outside);
}

std::size_t scale_norm_rows(const FloatRows& rows, double gain, double eps) {
  return HWY_DYNAMIC_DISPATCH(scale_norm_loop)(rows, gain, eps);
}

}  // namespace orrery::norm
#endif
