// The checks of norm/axes.
#include "app/study/kit.h"
#include "app/study/norm/axes_measured.h"
#include "app/study/norm/norm_ops.h"

namespace orrery::study::norm_axes {
namespace {

/// Other numbers everywhere but in the set that is filled: its own results must not know.
Check filled_is_what_counts(const Run& run, const Asked& asked) {
  const BatchShape& s = asked.shape;
  const Matrix x = asked.samples.from(0, s.samples), others = asked.samples.from(largest_batch, s.samples);
  Worst worst;
  double bound = 0;
  for (const Averaging norm : averagings) {
    const auto [samples, positions, features] = set_of(norm, s);
    Matrix mixed = others;
    for (Index b = 0; b < samples; ++b)
      mixed.block(b * s.positions, 0, positions, features) = x.block(b * s.positions, 0, positions, features);
    const Matrix before = normed(run, norm, x, s, asked.eps), after = normed(run, norm, mixed, s, asked.eps);
    for (Index b = 0; b < samples; ++b)
      worst.meet((after.block(b * s.positions, 0, positions, features) -
                  before.block(b * s.positions, 0, positions, features))
                     .cwiseAbs()
                     .maxCoeff());
    bound = std::max(bound, 0x1p-48 * before.cwiseAbs().maxCoeff());  // the same sums of the same numbers
  }
  return {"nothing outside of the filled set moves a number in it", worst, bound};
}

/// What doubles and floats leave of numbers that are so much larger than their deviation.
double condition_of(const Matrix& x, Index positions, double eps) {
  double most = 0;
  for (Index first = 0; first < x.rows(); first += positions)
    for (Index j = 0; j < x.cols(); ++j) {
      const auto column = x.col(j).segment(first, positions).array();
      const double variance = (column - column.mean()).square().mean();
      most = std::max(most, column.abs().maxCoeff() / std::sqrt(variance + eps));
    }
  return most;
}

Check instance_is_group(const Run& run, const Asked& asked) {
  BatchShape single = asked.shape;
  single.groups = single.features;
  const Matrix x = asked.samples.from(0, single.samples);
  const Matrix instance = normed(run, Averaging::instance, x, single, asked.eps),
               group = normed(run, Averaging::group, x, single, asked.eps);
  const double terms = number(single.positions) + 8;
  return {"InstanceNorm is GroupNorm with a group for each feature", (instance - group).cwiseAbs().maxCoeff(),
          slack(run, instance_norm_bounds, instance, terms) + slack(run, group_norm_bounds, group, terms) +
              terms * 0x1p-52 * condition_of(x, single.positions, asked.eps)};
}

Check batch_means(const Run& run, const Asked& asked) {
  const Matrix x = asked.samples.from(0, asked.shape.samples),
               y = normed(run, Averaging::batch, x, asked.shape, asked.eps);
  const double terms = number(x.rows()) + 8;
  return {"BatchNorm: over the batch every feature has the mean 0", y.colwise().mean().cwiseAbs().maxCoeff(),
          slack(run, batch_norm_bounds, y, terms) + terms * 0x1p-52 * condition_of(x, x.rows(), asked.eps)};
}

/// Six deviations of an average of n independent batch means that weighs m (1 − m)^(n − k) each, and what is left of the start.
Check running_mean_arrives(const Asked& asked, const Training& training) {
  const double m = asked.momentum, mean = asked.samples.mean(followed), n = number(asked.steps),
               samples = number(asked.shape.samples), positions = number(asked.shape.positions);
  const double left = std::pow(1 - m, n), weights = m / (2 - m) * (1 - left * left),
               batch_variance = asked.samples.variance_of_samples() / samples +
                                asked.samples.variance_within(followed) / (samples * positions);
  return {"the running mean has come to the feature's own, but for $(1 - m)^n$ and chance",
          std::abs(training.kept["running mean"].back() - mean),
          left * std::abs(mean) + 6 * std::sqrt(weights * batch_variance)};
}

/// What a moving average of these has come to, by the sum of its weights: what is left of the start, and a part of each batch.
double weighed(const std::vector<double>& of_batches, double m, double start) {
  const double n = number(of_batches.size());
  double sum = std::pow(1 - m, n) * start;
  for (std::size_t k = 0; k < of_batches.size(); ++k)
    sum += m * std::pow(1 - m, n - 1 - number(k)) * of_batches[k];
  return sum;
}

/// The recurrence beside the sum that it comes to; n roundings of numbers as large as the batches' means.
Check running_mean_is_the_sum(const Asked& asked, const Training& training) {
  const std::vector<double>& batch_mean = training.outputs["batch mean"];
  return {"the running mean weighs the batch of step k by $m (1 - m)^{n - k}$",
          std::abs(training.kept["running mean"].back() - weighed(batch_mean, asked.momentum, 0)),
          0x1p-50 * number(batch_mean.size()) * largest(batch_mean)};
}

/// It begins at 1. A variance by two sums loses what their difference does: N roundings of the numbers' squares.
Check running_variance_is_the_sum(const Asked& asked, const Training& training) {
  const std::vector<double>&variance = training.outputs["unbiased variance of the batch"],
        &mean = training.outputs["batch mean"];
  const double numbers = number(asked.shape.samples * asked.shape.positions), steps = number(variance.size()),
               squares = largest(variance) + 2 * largest(mean) * largest(mean);
  return {"the running variance weighs the unbiased one of step k by $m (1 - m)^{n - k}$, and begins at 1",
          std::abs(training.kept["running variance"].back() - weighed(variance, asked.momentum, 1)),
          0x1p-50 * (numbers + steps) * (1 + squares)};
}

/// For results that are turned, a feature in a row: the gpu may be off by a part of the feature's largest.
twin::Bounds of_columns(const twin::Bounds& bounds) {
  return {bounds.cpu, {.abs = bounds.gpu.abs, .row = bounds.gpu.rel}};
}

}  // namespace

std::vector<Check> checks_of(const Run& run, const Asked& asked, const Growth& growth,
                             const Training& training) {
  Worst others;
  for (const Averaging norm : averagings)
    if (norm != Averaging::batch) others.meet(growth.moved[static_cast<std::size_t>(norm)]);
  const Matrix x = asked.samples.from(0, asked.shape.samples);
  const auto equals = [&](Averaging norm, const twin::Bounds& bounds) {
    return named(name_of(norm), twin::equals_reference(run, of_columns(bounds), [&](const Run& each) {
                   return Matrix(normed(each, norm, x, asked.shape, asked.eps).transpose());
                 }));
  };
  return {
      filled_is_what_counts(run, asked),
      {"InstanceNorm, GroupNorm, LayerNorm and RMSNorm of a sample are the same in every batch", others,
       0x1p-48},
      instance_is_group(run, asked),
      batch_means(run, asked),
      running_mean_is_the_sum(asked, training),
      running_variance_is_the_sum(asked, training),
      running_mean_arrives(asked, training),
      equals(Averaging::batch, batch_norm_bounds),
      equals(Averaging::instance, instance_norm_bounds),
  };
}

}  // namespace orrery::study::norm_axes
