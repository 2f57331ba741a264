#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/norm/batch_norm.h"
#include "core/norm/kernels.h"
#include "core/norm/row_moments.h"
#include "core/simd/share.h"

namespace orrery::norm {

using tensor::Index;
using tensor::View;

namespace {

std::size_t size(Index n) {
  return static_cast<std::size_t>(n);
}

Index parts(Index whole, Index part) {
  return (whole + part - 1) / part;
}

/// What stands in the way from x to y in one column: y = (x − mean) scale + shift.
struct Lines {
  std::vector<double> mean, scale, shift;

  explicit Lines(Index cols) : mean(size(cols)), scale(size(cols)), shift(size(cols)) {}

  template <class T>
  void set(std::size_t j, double column_mean, double variance, double eps, std::span<const T> weight,
           std::span<const T> bias) {
    mean[j] = column_mean;
    scale[j] = (weight.empty() ? 1 : static_cast<double>(weight[j])) / std::sqrt(variance + eps);
    shift[j] = bias.empty() ? 0 : static_cast<double>(bias[j]);
  }
};

/// A matrix in pieces of neighbouring rows and columns. They depend on its shape alone, so that the moments of a column are
/// joined in one order, to the same bits, whatever the threads are.
class Cut {
 public:
  explicit Cut(View<const float> x)
      : rows_(x.rows),
        cols_(x.cols),
        height_(std::max(least_height, parts(x.rows, most_pieces_down))),
        across_(parts(x.cols, width)) {}

  Index down() const { return parts(rows_, height_); }
  Index count() const { return down() * across_; }
  Index rows_down(Index k) const { return std::min(height_, rows_ - k * height_); }

  struct Piece {
    Index down, row, rows, col, cols;
  };
  Piece operator[](Index k) const {
    const Index row = k / across_ * height_, col = k % across_ * width;
    return {k / across_, row, rows_down(k / across_), col, std::min(width, cols_ - col)};
  }

 private:
  /// What is kept of so many columns, two or three doubles each, stays in the first cache while rows go by.
  static constexpr Index width = 1024;
  static constexpr Index least_height = 128, most_pieces_down = 16;
  Index rows_, cols_, height_, across_;
};

FloatRows rows_of(View<const float> x, View<float> y, const Cut::Piece& p, bool streamed) {
  const auto part = [&p](auto m) {
    m.data += p.row * m.stride + p.col;
    m.rows = p.rows;
    m.cols = p.cols;
    return m;
  };
  return float_rows(part(x), part(y), 0, p.rows, streamed);
}

/// The moments of every piece, joined: those of a column, as a line.
class Statistics {
 public:
  Statistics(const Cut& cut, Index cols)
      : cut_(cut), cols_(cols), mean_(room(cut.down() * cols)), squares_(room(cut.down() * cols)) {}

  ColumnMoments of(const Cut::Piece& p) {
    const std::size_t at = size(p.down * cols_ + p.col);
    return {&mean_[at], &squares_[at]};
  }

  /// Of the columns `first` … `end`.
  void join(Index first, Index end, std::span<const float> weight, std::span<const float> bias, double eps,
            Lines& lines) {
    double seen = 0;
    for (Index k = 0; k < cut_.down(); ++k) {
      const auto rows = static_cast<double>(cut_.rows_down(k)), part = rows / (seen + rows),
                 between = seen * part;
      seen += rows;
      if (k == 0) continue;  // the others are joined to it, where it stands
      const double *mean = &mean_[size(k * cols_)], *squares = &squares_[size(k * cols_)];
      for (Index j = first; j < end; ++j) {  // Chan, Golub, LeVeque
        const double step = mean[j] - mean_[size(j)];
        mean_[size(j)] += part * step;
        squares_[size(j)] += squares[j] + between * step * step;
      }
    }
    for (Index j = first; j < end; ++j)
      lines.set(size(j), mean_[size(j)], squares_[size(j)] / seen, eps, weight, bias);
  }

 private:
  static std::unique_ptr<double[]> room(Index count) {
    return std::make_unique_for_overwrite<double[]>(size(count));
  }

  const Cut& cut_;
  Index cols_;
  std::unique_ptr<double[]> mean_, squares_;  ///< pieces down × columns
};

/// y of every element, by statistics in the scalar of the twin.
template <class T>
void by_lines(View<const T> x, std::span<const T> weight, std::span<const T> bias,
              const BatchNormParams& params, View<T> y) {
  Lines lines(x.cols);
  const auto in_format = [](double v) { return static_cast<double>(static_cast<T>(v)); };
  for (std::size_t j = 0; j < lines.mean.size(); ++j)
    lines.set(j, in_format(params.mean[j]), in_format(params.variance[j]), params.eps, weight, bias);
  simd::share(x.rows, x.size() * 2, [&](Index first, Index end) {
    for (Index i = first; i < end; ++i) {
      const T* from = x.row(i).data();
      T* to = y.row(i).data();
      for (std::size_t j = 0; j < lines.mean.size(); ++j)
        to[j] =
            static_cast<T>((static_cast<double>(from[j]) - lines.mean[j]) * lines.scale[j] + lines.shift[j]);
    }
  });
}

/// By itself: for a column whose squares leave double, or that is all but constant.
RowMoments moments_of_column(View<const double> x, std::size_t column, double eps) {
  std::vector<double> values(size(x.rows));
  for (Index i = 0; i < x.rows; ++i) values[size(i)] = x(i, static_cast<Index>(column));
  return moments_in_range(std::span<const double>(values), std::sqrt(eps));
}

}  // namespace

template <>
void batch_norm_cpu(View<const float> x, std::span<const float> weight, std::span<const float> bias,
                    const BatchNormParams& params, View<float> y) {
  check_batch_norm(params, x.cols);
  if (x.empty()) return;
  if (params.by_given_statistics()) return by_lines(x, weight, bias, params, y);
  const Cut cut(x);
  const bool streamed = simd::is_large(y) && simd::starts_on_lines(y);
  Statistics statistics(cut, x.cols);
  Lines lines(x.cols);
  simd::share(cut.count(), x.size(), [&](Index first, Index end) {
    for (Index k = first; k < end; ++k)
      column_moments(rows_of(x, y, cut[k], streamed), statistics.of(cut[k]));
  });
  simd::share(x.cols, x.size(),
              [&](Index first, Index end) { statistics.join(first, end, weight, bias, params.eps, lines); });
  // Backwards: what was read last is still in the caches.
  simd::share(cut.count(), x.size(), [&](Index first, Index end) {
    for (Index k = end; k-- > first;) {
      const std::size_t col = size(cut[k].col);
      standardise_columns(rows_of(x, y, cut[k], streamed),
                          {&lines.mean[col], &lines.scale[col], &lines.shift[col]});
    }
  });
}

template <>
void batch_norm_cpu(View<const double> x, std::span<const double> weight, std::span<const double> bias,
                    const BatchNormParams& params, View<double> y) {
  check_batch_norm(params, x.cols);
  if (x.empty()) return;
  if (params.by_given_statistics()) return by_lines(x, weight, bias, params, y);
  const auto N = static_cast<double>(x.rows);
  simd::share(x.cols, x.size(), [&](Index first, Index end) {
    const std::size_t count = size(end - first);
    std::vector<double> mean(count), left(count), squares(count), before(count), scale(count), shift(count);
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = first; j < end; ++j) mean[size(j - first)] += x(i, j);
    for (double& m : mean) m /= N;
    for (Index i = 0; i < x.rows; ++i) {
      for (Index j = first; j < end; ++j) {
        const double centred = x(i, j) - mean[size(j - first)];
        left[size(j - first)] += centred;
        squares[size(j - first)] += centred * centred;
      }
    }
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t at = size(first) + j;
      const double rest = left[j] / N, square = squares[j] / N;
      RowMoments m{.mean = mean[j], .variance = square - rest * rest, .rest = rest};
      if (!squares_in_double(m.variance) || m.variance < 0.5 * square)
        m = moments_of_column(x, at, params.eps);
      mean[j] = m.mean;
      left[j] = m.rest;
      before[j] = m.scale;
      scale[j] = (weight.empty() ? 1 : weight[at]) * inverse_deviation(m, params.eps);
      shift[j] = bias.empty() ? 0 : bias[at];
    }
    for (Index i = 0; i < x.rows; ++i) {
      for (Index j = first; j < end; ++j) {
        const std::size_t k = size(j - first);
        y(i, j) = ((x(i, j) * before[k] - mean[k]) - left[k]) * scale[k] + shift[k];
      }
    }
  });
}

}  // namespace orrery::norm
