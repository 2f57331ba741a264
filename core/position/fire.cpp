#include "core/position/fire.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/simd/share.h"
#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

namespace {

using Vector = std::vector<double>;

/// NaN stays NaN.
double relu(double x) {
  return x < 0 ? 0 : x;
}

bool hidden(Index m, Index n, const FireParams& params) {
  return n > m && params.direction == Direction::causal;
}

void first_layer(const FireWeights& w, double u, Vector& a) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = relu(w.w_in[k] * u + w.b_in[k]);
}

/// bias + row r of the matrix times a.
double affine(const Matrix<double>& matrix, const Vector& bias, Index r, const Vector& a) {
  double sum = bias[static_cast<std::size_t>(r)];
  for (std::size_t k = 0; k < a.size(); ++k) sum += matrix(r, static_cast<Index>(k)) * a[k];
  return sum;
}

/// The same for every row. Four sums run side by side, for one alone waits for each of its additions.
void affine_rows(const Matrix<double>& matrix, const Vector& bias, const Vector& a, Vector& out) {
  Index r = 0;
  for (; r + 4 <= matrix.rows(); r += 4) {
    const auto at = static_cast<std::size_t>(r);
    double s0 = bias[at], s1 = bias[at + 1], s2 = bias[at + 2], s3 = bias[at + 3];
    for (std::size_t j = 0; j < a.size(); ++j) {
      const auto k = static_cast<Index>(j);
      s0 += matrix(r, k) * a[j];
      s1 += matrix(r + 1, k) * a[j];
      s2 += matrix(r + 2, k) * a[j];
      s3 += matrix(r + 3, k) * a[j];
    }
    out[at] = s0, out[at + 1] = s1, out[at + 2] = s2, out[at + 3] = s3;
  }
  for (; r < matrix.rows(); ++r) out[static_cast<std::size_t>(r)] = affine(matrix, bias, r, a);
}

void second_layer(const FireWeights& w, const Vector& a, Vector& b) {
  affine_rows(w.w_mid, w.b_mid, a, b);
  for (double& v : b) v = relu(v);
}

}  // namespace

void check_fire(const FireParams& params) {
  if (!(params.c > 0))
    throw InvalidArgument(about("c").found(std::to_string(params.c)).allowed("above {}", 0));
  if (!(params.threshold > 0)) {
    throw InvalidArgument(about("threshold").found(std::to_string(params.threshold)).allowed("above {}", 0));
  }
}

double fire_measure(const FireParams& params, double distance) {
  return std::log1p(params.c * distance);
}

double fire_reach(const FireParams& params, Index m) {
  return std::max(static_cast<double>(m), params.threshold);
}

double fire_distance(Index m, Index n, const FireParams& params) {
  return fire_measure(params, static_cast<double>(std::abs(m - n))) /
         fire_measure(params, fire_reach(params, m));
}

tensor::Bound fire_gpu_bound(const FireWeights& w) {
  const auto units = static_cast<double>(w.width());
  const double layers = w.deep() ? 3 : 2;
  // A hidden value that is flushed is multiplied by the weights behind it.
  const auto largest = [](const Matrix<double>& m) {
    double size = 1;
    for (const double v : m.reshaped())
      if (std::isfinite(v)) size = std::max(size, std::abs(v));
    return size;
  };
  return {.abs = 0x1p-125 * (1 + units * largest(w.w_out) * (1 + units * largest(w.w_mid))),
          .rel = layers * (4 + std::sqrt(units)) * 0x1p-24};
}

void fire_magnitude(const FireWeights& w, const FireParams& params, View<double> y) {
  FireWeights sizes{.w_in = w.w_in,
                    .b_in = w.b_in,
                    .w_mid = w.w_mid.cwiseAbs(),
                    .b_mid = w.b_mid,
                    .w_out = w.w_out.cwiseAbs(),
                    .b_out = w.b_out};
  for (Vector* values : {&sizes.w_in, &sizes.b_in, &sizes.b_mid, &sizes.b_out})
    for (double& v : *values) v = std::abs(v);
  fire_ref(sizes, params, y);
}

void fire_ref(const FireWeights& w, const FireParams& params, View<double> y) {
  check_fire(params);
  const Index length = y.cols;
  const auto width = static_cast<std::size_t>(w.width());
  for (Index h = 0; h < w.heads(); ++h) {
    for (Index m = 0; m < length; ++m) {
      for (Index n = 0; n < length; ++n) {
        Vector a(width), b(width);
        first_layer(w, fire_distance(m, n, params), a);
        if (w.deep()) {
          second_layer(w, a, b);
          a = b;
        }
        y(h * length + m, n) =
            hidden(m, n, params) ? -std::numeric_limits<double>::infinity() : affine(w.w_out, w.b_out, h, a);
      }
    }
  }
}

/// The hidden layers once for all heads.
template <class T>
void fire_cpu(const FireWeights& w, const FireParams& params, View<T> y) {
  check_fire(params);
  const Index length = y.cols;
  const auto width = static_cast<std::size_t>(w.width());
  simd::share_in_turns({.count = length, .size = y.size() * w.width(), .turn = 1}, [&] {
    return [&, a = Vector(width), b = Vector(width), sums = Vector(w.b_out.size())](Index first,
                                                                                    Index end) mutable {
      for (Index m = first; m < end; ++m) {
        for (Index n = 0; n < length; ++n) {
          if (hidden(m, n, params)) {
            for (Index h = 0; h < w.heads(); ++h) y(h * length + m, n) = -std::numeric_limits<T>::infinity();
            continue;
          }
          first_layer(w, fire_distance(m, n, params), a);
          if (w.deep()) second_layer(w, a, b);
          affine_rows(w.w_out, w.b_out, w.deep() ? b : a, sums);
          for (Index h = 0; h < w.heads(); ++h)
            y(h * length + m, n) = static_cast<T>(sums[static_cast<std::size_t>(h)]);
        }
      }
    };
  });
}

template void fire_cpu(const FireWeights&, const FireParams&, View<float>);
template void fire_cpu(const FireWeights&, const FireParams&, View<double>);

}  // namespace orrery::position
