#include "app/study/norm/both_norms.h"

#include <cmath>

#include "app/study/kit/checks.h"

namespace orrery::study {
namespace {

using twin::Matrix;

double mean_square(const Matrix& row) {
  return row.squaredNorm() / static_cast<double>(row.size());
}
double variance(const Matrix& row) {
  return (row.array() - row.mean()).square().mean();
}

/// In double: sums of D terms, and centring loses what the mean is larger than the deviation; of equal components it loses
/// nothing that a result of 0 would show.
double norm_slack(const Run& run, const twin::Bounds& bounds, const Matrix& x, const Matrix& y) {
  const bool equal = x.maxCoeff() == x.minCoeff();
  const double condition = equal ? 1 : x.cwiseAbs().maxCoeff() / std::sqrt(variance(x));
  return slack(run, bounds, y, static_cast<double>(x.size()) + condition);
}

}  // namespace

BothNorms both_norms(const Run& run, const Matrix& x, double eps) {
  return {twin::layer_norm(run, x, {.eps = eps}), twin::rms_norm(run, x, {.eps = eps})};
}

double rms_distance(const Matrix& a, const Matrix& b) {
  return std::sqrt(mean_square(a - b));
}

double norms_slack(const Run& run, const Matrix& x, const BothNorms& y) {
  return norm_slack(run, {norm::layer_norm_bound, norm::layer_norm_gpu_bound}, x, y.layer) +
         norm_slack(run, {norm::rms_norm_bound, norm::rms_norm_gpu_bound}, x, y.rms);
}

std::vector<Check> both_norms_checks(const Run& run, const Matrix& x, const BothNorms& y, double eps) {
  const twin::Bounds layer{norm::layer_norm_bound, norm::layer_norm_gpu_bound};
  const twin::Bounds rms{norm::rms_norm_bound, norm::rms_norm_gpu_bound};
  const double layer_slack = norm_slack(run, layer, x, y.layer), rms_slack = norm_slack(run, rms, x, y.rms);

  const double var = variance(x), square = mean_square(x);
  const Matrix centred = twin::rounded((x.array() - x.mean()).matrix());
  const BothNorms agreeing = both_norms(run, centred, eps);
  const double rest = std::abs(centred.mean()) / std::sqrt(var + eps);  // what rounding left of the mean
  return {
      {"LayerNorm: the mean is 0", std::abs(y.layer.mean()), layer_slack},
      {"LayerNorm: the variance is $\\sigma^2 / (\\sigma^2 + \\epsilon)$",
       std::abs(variance(y.layer) - var / (var + eps)), 3 * layer_slack},
      {"RMSNorm: the mean square is $q / (q + \\epsilon)$, q that of x",
       std::abs(mean_square(y.rms) - square / (square + eps)), 3 * rms_slack},
      {"both are equal where the mean is 0", (agreeing.layer - agreeing.rms).cwiseAbs().maxCoeff(),
       2 * norm_slack(run, layer, centred, agreeing.layer) + 2 * norm_slack(run, rms, centred, agreeing.rms) +
           2 * rest},
      named("LayerNorm",
            twin::equals_reference(run, layer,
                                   [&](const Run& each) { return twin::layer_norm(each, x, {.eps = eps}); })),
      named("RMSNorm", twin::equals_reference(
                           run, rms, [&](const Run& each) { return twin::rms_norm(each, x, {.eps = eps}); })),
  };
}

}  // namespace orrery::study
