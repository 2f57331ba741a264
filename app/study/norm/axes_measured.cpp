#include "app/study/norm/axes_measured.h"

#include "app/study/kit.h"
#include "app/study/norm/norm_ops.h"
#include "core/norm/running_statistics.h"

namespace orrery::study::norm_axes {

Growth growth_of(const Run& run, const Asked& asked) {
  std::vector<double> sizes;
  for (Index n = 1; n <= largest_batch; n *= 2) sizes.push_back(number(n));
  Growth growth{Series("by_batch", {"batch size", "samples", sizes})};
  const Matrix all = asked.samples.from(0, largest_batch);
  for (const Averaging norm : averagings) {
    std::vector<double> values;
    Matrix alone;
    Worst moved;
    for (const double n : sizes) {
      run.check();
      const Index rows = static_cast<Index>(n) * asked.shape.positions;
      const Matrix y = normed(run, norm, all.topRows(rows), asked.shape, asked.eps);
      const Matrix sample = y.topRows(asked.shape.positions);
      if (values.empty()) alone = sample;
      values.push_back(sample(followed, followed));
      moved.meet((sample - alone).cwiseAbs().maxCoeff());
    }
    growth.moved[static_cast<std::size_t>(norm)] = moved;
    growth.values.add(name_of(norm), std::move(values));
  }
  return growth;
}

double moved_by_positions(const Run& run, Averaging norm, const Asked& asked) {
  const Index positions = asked.shape.positions;
  const Matrix x = asked.samples.from(0, asked.shape.samples);
  Matrix other = x;
  other.middleRows(1, positions - 1) = asked.samples.from(largest_batch, 1).bottomRows(positions - 1);
  const Matrix before = normed(run, norm, x, asked.shape, asked.eps),
               after = normed(run, norm, other, asked.shape, asked.eps);
  return (after.row(0) - before.row(0)).cwiseAbs().maxCoeff();
}

/// By the two sums, not by the deviations: another way than the running statistics take.
double unbiased_variance(const Matrix& x) {
  const double n = number(x.size());
  return n == 1 ? 0 : (x.squaredNorm() - x.sum() * x.sum() / n) / (n - 1);
}

Training training_of(const Run& run, const Asked& asked) {
  const Index rows = asked.shape.samples * asked.shape.positions;
  norm::RunningStatistics statistics(1);
  std::vector<double> mean = statistics.mean, variance = statistics.variance, batch_means, batch_variances;
  Matrix batches(rows, asked.steps);
  const Matrix own = asked.samples.feature_from(0, 1, followed);
  for (Index k = 0; k < asked.steps; ++k) {
    run.check();
    const Index first = largest_batch + 1 + k * asked.shape.samples;
    Matrix batch = asked.samples.feature_from(first, asked.shape.samples, followed);
    statistics.see(batch, asked.momentum);
    batch_means.push_back(batch.mean());
    batch_variances.push_back(unbiased_variance(batch));
    mean.push_back(statistics.mean[0]);
    variance.push_back(statistics.variance[0]);
    batch.topRows(asked.shape.positions) = own;  // in the place of the batch's first sample
    batches.col(k) = batch;
  }
  Training training{Series("running", {"training step", "", counted(asked.steps + 1)}),
                    Series("outputs", {"training step", "", numbered(asked.steps)})};
  training.kept.add("running mean", mean).add("running variance", variance);
  // All steps side by side: BatchNorm knows nothing of the columns beside one.
  const Matrix alone = Matrix::Constant(1, asked.steps, own(followed, 0));
  training.outputs.add("batch mean", std::move(batch_means))
      .add("unbiased variance of the batch", std::move(batch_variances))
      .add("in training", row_of(twin::batch_norm(run, batches, {}, {.eps = asked.eps})))
      .add("in evaluation",
           row_of(twin::batch_norm(run, alone, {},
                                   {.eps = asked.eps,
                                    .mean = std::vector(mean.begin() + 1, mean.end()),
                                    .variance = std::vector(variance.begin() + 1, variance.end())})));
  return training;
}

double kept_variance(const Asked& asked) {
  const double samples = number(asked.shape.samples), numbers = samples * number(asked.shape.positions);
  if (numbers == 1) return 0;  // one number spreads by nothing
  return asked.samples.variance_within(followed) +
         asked.samples.variance_of_samples() * (1 - 1 / samples) * numbers / (numbers - 1);
}

double evaluated_at_last(const Asked& asked) {
  const double x = asked.samples.feature_from(0, 1, followed)(followed, 0);
  return (x - asked.samples.mean(followed)) / std::sqrt(kept_variance(asked) + asked.eps);
}

}  // namespace orrery::study::norm_axes
