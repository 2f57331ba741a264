#include "core/norm/running_statistics.h"

namespace orrery::norm {

using tensor::Index;

RunningStatistics::RunningStatistics(Index features)
    : mean(static_cast<std::size_t>(features), 0.0), variance(static_cast<std::size_t>(features), 1.0) {}

void RunningStatistics::see(tensor::View<const double> batch, double momentum) {
  if (batch.rows == 0) return;
  const auto N = static_cast<double>(batch.rows);
  for (Index j = 0; j < batch.cols; ++j) {
    double average = 0, squares = 0;
    for (Index i = 0; i < batch.rows; ++i) average += batch(i, j) / N;
    for (Index i = 0; i < batch.rows; ++i) squares += (batch(i, j) - average) * (batch(i, j) - average);
    const double unbiased = batch.rows > 1 ? squares / (N - 1) : squares;
    double &m = mean[static_cast<std::size_t>(j)], &v = variance[static_cast<std::size_t>(j)];
    m = (1 - momentum) * m + momentum * average;
    v = (1 - momentum) * v + momentum * unbiased;
  }
}

}  // namespace orrery::norm
