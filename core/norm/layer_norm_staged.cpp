#include <cmath>

#include "core/norm/layer_norm.h"

namespace orrery::norm {

using tensor::Index;
using tensor::Rounding;

namespace {

struct Moments {
  double mean, variance;
};

/// x is in storage already; `acc` rounds every product, sum and quotient.
Moments two_pass(std::span<const double> x, double D, const Rounding& acc) {
  double sum = 0, squares = 0;
  for (const double v : x) sum = acc(sum + v);
  const double mean = acc(sum / D);
  for (const double v : x) {
    const double centred = acc(v - mean);
    squares = acc(squares + acc(centred * centred));
  }
  return {mean, acc(squares / D)};
}

Moments one_pass(std::span<const double> x, double D, const Rounding& acc) {
  double sum = 0, squares = 0;
  for (const double v : x) {
    sum = acc(sum + v);
    squares = acc(squares + acc(v * v));
  }
  const double mean = acc(sum / D);
  return {mean, acc(acc(squares / D) - acc(mean * mean))};
}

Moments welford(std::span<const double> x, double D, const Rounding& acc) {
  double mean = 0, squares = 0, k = 0;
  for (const double v : x) {
    const double delta = acc(v - mean);
    k += 1;
    mean = acc(mean + acc(delta / k));
    squares = acc(squares + acc(delta * acc(v - mean)));
  }
  return {mean, acc(squares / D)};
}

Moments moments(std::span<const double> x, Estimator estimator, const Rounding& acc) {
  const double D = static_cast<double>(x.size());
  switch (estimator) {
    case Estimator::one_pass:
      return one_pass(x, D, acc);
    case Estimator::welford:
      return welford(x, D, acc);
    case Estimator::two_pass:
      break;
  }
  return two_pass(x, D, acc);
}

}  // namespace

void layer_norm_staged(tensor::View<const double> x, std::span<const double> weight,
                       std::span<const double> bias, const LayerNormParams& params,
                       const tensor::Precision& precision, tensor::View<double> y) {
  const Rounding store(precision.storage), acc(precision.accumulate);
  const double D = static_cast<double>(x.cols), eps = acc(params.eps);
  const bool standard = params.variant == LayerNormVariant::standard;
  // Of one number there is none, also where a rounded variance of it is not 0.
  const double unbiased = x.cols == 1 ? NAN : acc(D / (D - 1));

  for (Index i = 0; i < x.rows; ++i) {
    const std::span<double> row = y.row(i);  // holds the stored x until it is normalised
    for (Index j = 0; j < x.cols; ++j) y(i, j) = store(x(i, j));
    const auto [mean, variance] = moments(row, params.estimator, acc);
    const double rstd = acc(1 / acc(std::sqrt(acc(variance + eps))));
    const double divisor = acc(acc(std::sqrt(acc(variance * unbiased))) + eps);

    for (std::size_t j = 0; j < row.size(); ++j) {
      const double w = weight.empty() ? 1 : store(weight[j]);
      const double b = bias.empty() ? 0 : store(bias[j]);
      const double centred = acc(row[j] - mean);
      const double scaled = standard ? acc(acc(centred * rstd) * w) : acc(acc(w * centred) / divisor);
      row[j] = store(acc(scaled + b));
    }
  }
}

}  // namespace orrery::norm
