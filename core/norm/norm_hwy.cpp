#include <cmath>
#include <limits>

#include "core/norm/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/norm/norm_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/norm/row_loops.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::norm::HWY_NAMESPACE {

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

// The norms, as row_loops.h asks for them.

/// What weights, those that are 0 apart, may be multiplied by: the products must be normal floats.
struct Factors {
  float least, largest;

  HWY_INLINE Factors(const float* weight, std::size_t cols) {
    const Vector none = all(std::numeric_limits<float>::max());
    Vector low = none, high = hn::Zero(Floats());
    const auto take = [&](Vector v) HWY_ATTR {
      const Vector size = hn::Abs(v);
      low = hn::Min(low, hn::IfThenElse(hn::Gt(size, hn::Zero(Floats())), size, none));
      high = hn::Max(size, high);  // in this order a NaN among the weights hides none of the others on x86
    };
    const std::size_t lanes = hn::Lanes(Floats());
    std::size_t j = 0;
    for (; j + lanes <= cols; j += lanes) take(Whole{}.load(weight + j));
    if (j < cols) take(Part{cols - j}.load(weight + j));
    // A unit too wide or too narrow does not matter: what is normal reaches a little further on either side.
    least = static_cast<float>(0x1p-125 / static_cast<double>(hn::GetLane(hn::MinOfLanes(Floats(), low))));
    largest = static_cast<float>(0x1p126 / static_cast<double>(hn::GetLane(hn::MaxOfLanes(Floats(), high))));
  }
  HWY_INLINE bool hold(Vector factor) const {
    const float f = hn::GetLane(factor);
    return f >= least && f <= largest;
  }
};

/// What needs no weights, for the norms that have none.
struct NoWeights {};

struct LayerNormKernel {
  double eps;

  /// Of x − guess and its square. About a guess within 0.7 σ of the mean they cancel little.
  static constexpr int sums = 2;
  static HWY_INLINE float guess(const float* x, std::size_t cols) { return first_guess(x, cols); }
  static HWY_INLINE void add(Vector x, Vector guess, Vector* sum) {
    const Vector d = hn::Sub(x, guess);
    sum[0] = hn::Add(sum[0], d);
    sum[1] = hn::MulAdd(d, d, sum[1]);
  }

  /// What a row is shifted and multiplied by. The mean in two floats: x − upper is as exact as x is, also where the mean
  /// is a thousand times σ.
  struct Standard {
    Vector mean, mean_rest, rstd;
  };

  template <class Row>
  HWY_INLINE bool finish(const Row& row, std::size_t cols, Standard& by) const {
    Moments m = moments(row, cols);
    // If the guess was not near the mean, what came of it is.
    if (m.square > 1.5 * m.variance) m = moments_about(static_cast<float>(m.mean), row.x, cols);
    const auto upper = static_cast<float>(m.mean);
    by = {all(upper), all(static_cast<float>(m.mean - upper)),
          all(static_cast<float>(1 / std::sqrt(m.variance + eps)))};
    return has_its_bits(m.square) && m.square <= 1.5 * m.variance;
  }

  template <class At>
  static HWY_INLINE NoWeights weights(At /*at*/, std::size_t /*j*/) {
    return {};
  }
  static HWY_INLINE Vector centred(Vector x, const Standard& by) {
    return hn::Sub(hn::Sub(x, by.mean), by.mean_rest);
  }
  static HWY_INLINE Vector value(Vector x, NoWeights /*none*/, const Standard& by) {
    return hn::Mul(centred(x, by), by.rstd);
  }

 private:
  struct Moments {
    double mean, variance, square;  ///< square: of x − guess, in the mean
  };

  template <class Row>
  static HWY_INLINE Moments moments(const Row& row, std::size_t cols) {
    const double D = static_cast<double>(cols), offset = row.sums.total(0) / D,
                 square = row.sums.total(1) / D;
    return {row.guess + offset, square - offset * offset, square};
  }
  static HWY_NOINLINE Moments moments_about(float guess, const float* x, std::size_t cols) {
    Summed<LayerNormKernel> row;
    row.start(x, guess);
    row.add(0, cols);
    return moments(row, cols);
  }
};

struct WeightedLayerNormKernel : LayerNormKernel {
  const float *weight, *bias;
  Factors factors;

  template <class Row>
  HWY_INLINE bool finish(const Row& row, std::size_t cols, Standard& by) const {
    return LayerNormKernel::finish(row, cols, by) && factors.hold(by.rstd);
  }

  struct Weights {
    Vector weight, bias;
  };
  template <class At>
  HWY_INLINE Weights weights(At at, std::size_t j) const {
    return {at.load(weight + j), at.load(bias + j)};
  }
  static HWY_INLINE Vector value(Vector x, const Weights& w, const Standard& by) {
    return hn::MulAdd(centred(x, by), hn::Mul(w.weight, by.rstd), w.bias);
  }
};

/// The root mean square's sums, and a factor that is one for the row.
struct SquaresKernel {
  static constexpr int sums = 1;
  static HWY_INLINE float guess(const float* /*x*/, std::size_t /*cols*/) { return 0; }
  static HWY_INLINE void add(Vector x, Vector /*guess*/, Vector* sum) { sum[0] = hn::MulAdd(x, x, sum[0]); }

  using Standard = Vector;
  template <class At>
  static HWY_INLINE NoWeights weights(At /*at*/, std::size_t /*j*/) {
    return {};
  }
  static HWY_INLINE Vector value(Vector x, NoWeights /*none*/, Standard by) { return hn::Mul(x, by); }
};

struct RmsNormKernel : SquaresKernel {
  double eps;
  bool outside;

  template <class Row>
  HWY_INLINE bool finish(const Row& row, std::size_t cols, Standard& rrms) const {
    const double square = row.sums.total(0) / static_cast<double>(cols);
    const double rms = outside ? std::sqrt(square) + eps : std::sqrt(square + eps);
    rrms = all(static_cast<float>(1 / rms));
    return has_its_bits(square);
  }
};

struct WeightedRmsNormKernel : RmsNormKernel {
  const float* gain;
  Factors factors;

  template <class Row>
  HWY_INLINE bool finish(const Row& row, std::size_t cols, Standard& rrms) const {
    return RmsNormKernel::finish(row, cols, rrms) && factors.hold(rrms);
  }

  using Weights = Vector;
  template <class At>
  HWY_INLINE Weights weights(At at, std::size_t j) const {
    return at.load(gain + j);
  }
  /// The gain first: its product with 1/rms is no subnormal (see Factors), as that of x may be.
  static HWY_INLINE Vector value(Vector x, Weights w, Standard rrms) { return hn::Mul(x, hn::Mul(w, rrms)); }
};

struct BiasedRmsNormKernel : WeightedRmsNormKernel {
  const float* bias;

  struct Weights {
    Vector gain, bias;
  };
  template <class At>
  HWY_INLINE Weights weights(At at, std::size_t j) const {
    return {at.load(gain + j), at.load(bias + j)};
  }
  static HWY_INLINE Vector value(Vector x, const Weights& w, Standard rrms) {
    return hn::MulAdd(x, hn::Mul(w.gain, rrms), w.bias);
  }
};

struct ScaleNormKernel : SquaresKernel {
  double gain, eps;

  template <class Row>
  HWY_INLINE bool finish(const Row& row, std::size_t cols, Standard& by) const {
    const double square = row.sums.total(0), norm = std::sqrt(square),
                 factor = gain / (norm > eps ? norm : eps);
    by = all(static_cast<float>(factor));
    const double size = factor < 0 ? -factor : factor;
    return has_its_bits(square / static_cast<double>(cols)) && size >= 0x1p-126 && size <= 0x1p127;
  }
};

std::size_t layer_norm_loop(const FloatRows& rows, const float* weight, const float* bias, double eps) {
  const LayerNormKernel plain{eps};
  return weight == nullptr
             ? norm_rows(rows, plain)
             : norm_rows(rows, WeightedLayerNormKernel{plain, weight, bias, Factors(weight, rows.cols)});
}

std::size_t scale_norm_loop(const FloatRows& rows, double gain, double eps) {
  return norm_rows(rows, ScaleNormKernel{{}, gain, eps});
}

std::size_t rms_norm_loop(const FloatRows& rows, const float* gain, const float* bias, double eps,
                          bool outside) {
  const RmsNormKernel plain{{}, eps, outside};
  if (gain == nullptr) return norm_rows(rows, plain);
  const WeightedRmsNormKernel weighted{plain, gain, Factors(gain, rows.cols)};
  return bias == nullptr ? norm_rows(rows, weighted) : norm_rows(rows, BiasedRmsNormKernel{weighted, bias});
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

std::size_t rms_norm_rows(const FloatRows& rows, const float* gain, const float* bias, double eps,
                          bool outside) {
  return HWY_DYNAMIC_DISPATCH(rms_norm_loop)(rows, gain, bias, eps, outside);
}

std::size_t scale_norm_rows(const FloatRows& rows, double gain, double eps) {
  return HWY_DYNAMIC_DISPATCH(scale_norm_loop)(rows, gain, eps);
}

}  // namespace orrery::norm
#endif
