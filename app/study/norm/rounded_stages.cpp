#include "app/study/norm/rounded_stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/norm/layer_norm.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using tensor::Format;
using tensor::Index;
using twin::Matrix;

/// The mean square of so many equal components, summed from left to right; the sum stops where it no longer grows.
double mean_square_of_equal(double size, double width, const tensor::Rounding& acc) {
  const double square = acc(size * size);
  double sum = 0;
  for (double n = 0; n < width; ++n) {
    const double next = acc(sum + square);
    if (next == sum) break;
    sum = next;
  }
  return acc(sum / width);
}

/// The least size, to a part in 2^20, from which on `bad` holds.
double threshold(double low, double high, auto&& bad) {
  if (!bad(high)) return std::numeric_limits<double>::quiet_NaN();
  for (int step = 0; step < 22; ++step) {
    const double middle = std::sqrt(low * high);
    (bad(middle) ? high : low) = middle;
  }
  return high;
}

/// How far LayerNorm's result is off, as a root mean square: what it should be is of size 1.
double result_error(const Matrix& row, norm::Estimator estimator, const tensor::Precision& precision) {
  Matrix y = row, exact = row;
  norm::layer_norm_staged(row, {}, {}, {.eps = 0, .estimator = estimator}, precision,
                          tensor::View<double>(y));
  norm::layer_norm_ref(row, {}, {}, {.eps = 0}, tensor::View<double>(exact));
  return std::sqrt((y - exact).squaredNorm() / static_cast<double>(row.size()));
}

}  // namespace

StagedRow staged_rms_norm(const Matrix& x, const std::vector<double>& gain, const norm::RmsNormParams& params,
                          const tensor::Precision& precision) {
  const tensor::Rounding store(precision.storage), acc(precision.accumulate);
  StagedRow row{.x = x, .y = x, .eps = acc(params.eps), .sums = {}};
  for (double& v : row.x.reshaped()) v = store(v);
  row.sums.reserve(static_cast<std::size_t>(x.cols()));
  for (const double v : row.x.reshaped()) {
    const double square = acc(v * v);
    row.largest_square = std::max(row.largest_square, square);
    row.sum = acc(row.sum + square);
    row.sums.push_back(row.sum);
  }
  row.mean_square = acc(row.sum / static_cast<double>(x.cols()));
  row.under_root = acc(row.mean_square + row.eps);
  row.inverse_root = acc(1 / acc(std::sqrt(row.under_root)));
  norm::rms_norm_staged(x, gain, params, precision, tensor::View<double>(row.y));
  return row;
}

Series safe_sizes(const std::vector<double>& widths, double eps, const tensor::Precision& precision) {
  const tensor::Rounding acc(precision.accumulate), store(precision.storage);
  const tensor::FormatInfo& format = tensor::info(precision.accumulate);
  // From half a unit above the largest number on, rounding gives infinity.
  const double largest = format.max * (2 - format.unit_roundoff) / (2 - 2 * format.unit_roundoff),
               eps_kept = acc(eps);
  const double top = std::min(tensor::info(precision.storage).max, 1e30);
  Series series("frontier", {"width", "", widths});
  series.add("the sum overflows", [&](double width) {
    return threshold(1e-3, top,
                     [&](double size) { return std::isinf(mean_square_of_equal(store(size), width, acc)); });
  });
  series.add("an exact sum overflows", [&](double width) {
    const double size = std::sqrt(largest / width);
    return size < top ? size : std::numeric_limits<double>::quiet_NaN();
  });
  series.add("squares vanish", [&](double) {
    return threshold(1e-30, 1, [&](double size) { return acc(store(size) * store(size)) > 0; });
  });
  series.add("epsilon is half", [&](double) {
    return eps_kept > 0 ? std::sqrt(eps_kept) : std::numeric_limits<double>::quiet_NaN();
  });
  return series;
}

Series variance_errors(Index width, std::uint64_t seed, Format format) {
  std::vector<double> means;
  for (int i = 0; i <= 40; ++i) means.push_back(std::exp2(i * 14.0 / 40 - 2));
  Matrix z = tensor::Random(seed).normals(1, width);
  z.array() -= z.mean();
  if (width > 1) z /= std::sqrt(z.squaredNorm() / static_cast<double>(width));
  const tensor::Rounding kept(format);
  Series series("estimators", {"mean / deviation", "", means});
  for (const auto& [name, estimator] : {std::pair{"two passes", norm::Estimator::two_pass},
                                        {"Welford", norm::Estimator::welford},
                                        {"one pass", norm::Estimator::one_pass}})
    series.add(name, [&](double mean) {
      // The row is rounded first, so that the estimator alone is seen.
      Matrix x = (z.array() + mean).matrix();
      for (double& v : x.reshaped()) v = kept(v);
      const double error = result_error(x, estimator, {Format::f64, format});
      return std::isfinite(error) ? error : std::numeric_limits<double>::quiet_NaN();
    });
  return series;
}

}  // namespace orrery::study
