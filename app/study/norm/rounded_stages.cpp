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
  for (int step = 0; step < 28; ++step) {
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

Series finite_series(std::string name, std::string x_name, const std::vector<double>& x, std::string column,
                     const std::function<double(double)>& f) {
  std::vector<double> at, values;
  for (const double each : x) {
    const double value = f(each);
    if (!std::isfinite(value)) continue;
    at.push_back(each);
    values.push_back(value);
  }
  Series series(std::move(name), {.name = std::move(x_name), .values = std::move(at)});
  series.add(std::move(column), std::move(values));
  return series;
}

std::vector<Series> safe_sizes(const std::vector<double>& widths, double eps,
                               const tensor::Precision& precision) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const tensor::Rounding acc(precision.accumulate), store(precision.storage);
  const tensor::FormatInfo& format = tensor::info(precision.accumulate);
  // From half a unit above the largest number on, rounding gives infinity.
  const double largest = format.max * (2 - format.unit_roundoff) / (2 - 2 * format.unit_roundoff),
               eps_kept = acc(eps), top = std::min(tensor::info(precision.storage).max, 1e30);
  const auto by_width = [&](const char* name, const std::function<double(double)>& size) {
    return finite_series(name, "width", widths, "size", size);
  };
  return {by_width("overflow",
                   [&](double width) {
                     return threshold(1e-3, top, [&](double size) {
                       return std::isinf(mean_square_of_equal(store(size), width, acc));
                     });
                   }),
          by_width("overflow_of_exact_sum",
                   [&](double width) {
                     const double size = std::sqrt(largest / width);
                     return size < top ? size : none;
                   }),
          by_width("epsilon", [&](double) { return eps_kept > 0 ? std::sqrt(eps_kept) : none; }),
          by_width("vanish", [&](double) {
            return threshold(1e-30, 1, [&](double size) { return acc(store(size) * store(size)) > 0; });
          })};
}

std::vector<Series> variance_errors(Index width, std::uint64_t seed, Format format) {
  std::vector<double> means;
  for (int i = 0; i <= 42; ++i) means.push_back(std::exp2(i / 3.0 - 2));
  Matrix z = tensor::Random(seed).normals(1, width);
  z.array() -= z.mean();
  z /= std::sqrt(z.squaredNorm() / static_cast<double>(width));
  const tensor::Rounding kept(format);
  std::vector<Series> all;
  for (const auto& [name, estimator] : {std::pair{"two_passes", norm::Estimator::two_pass},
                                        {"welford", norm::Estimator::welford},
                                        {"one_pass", norm::Estimator::one_pass}})
    all.push_back(finite_series(name, "mean / deviation", means, "RMS error", [&](double mean) {
      Matrix x = (z.array() + mean).matrix();
      for (double& v : x.reshaped()) v = kept(v);
      return result_error(x, estimator, {Format::f64, format});
    }));
  return all;
}

}  // namespace orrery::study
