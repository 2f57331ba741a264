// What BatchNorm keeps, step by step, against torch.nn.BatchNorm1d in double.
#include "core/norm/running_statistics.h"

#include <gtest/gtest.h>

#include "core/file/npy.h"
#include "core/norm/batch_norm.h"
#include "tests/support/source.h"

namespace orrery::norm::running_statistics_test {
namespace {

using tensor::Index;
using tensor::Matrix;

Matrix<double> read(const std::string& what) {
  return file::read_npy(support::source("tests/reference/torch/batch_norm_steps." + what + ".npy"))
      .matrix<double>();
}

/// Seven batches of five rows, six features, momentum 0.2; what stands in double behind a dozen roundings: 4e-15.
TEST(RunningStatistics, AreThoseOfPyTorchAtEveryStep) {
  constexpr Index rows = 5, features = 6;
  constexpr double close = 4e-15;
  const Matrix<double> x = read("x"), mean = read("mean"), variance = read("var"),
                       training = read("training"), evaluation = read("evaluation");
  RunningStatistics kept(features);
  Matrix<double> y(rows, features);
  for (Index step = 0; step < x.rows() / rows; ++step) {
    const Matrix<double> batch = x.middleRows(step * rows, rows), first = x.topRows(rows);
    kept.see(batch, 0.2);
    for (Index j = 0; j < features; ++j) {
      EXPECT_NEAR(kept.mean[static_cast<std::size_t>(j)], mean(step, j), close) << step << " " << j;
      EXPECT_NEAR(kept.variance[static_cast<std::size_t>(j)], variance(step, j), 2 * close)
          << step << " " << j;
    }
    batch_norm_ref(batch, {}, {}, {}, y);
    EXPECT_LT((y - training.middleRows(step * rows, rows)).cwiseAbs().maxCoeff(), close) << step;
    batch_norm_ref(first, {}, {}, {.mean = kept.mean, .variance = kept.variance}, y);
    EXPECT_LT((y - evaluation.middleRows(step * rows, rows)).cwiseAbs().maxCoeff(), close) << step;
  }
}

TEST(RunningStatistics, NothingSeenAndASingleRow) {
  RunningStatistics kept(2);
  kept.see(Matrix<double>(0, 2), 0.5);
  EXPECT_EQ(kept.mean, (std::vector<double>{0, 0}));
  EXPECT_EQ(kept.variance, (std::vector<double>{1, 1}));
  Matrix<double> row(1, 2);
  row << 4, -2;
  kept.see(row, 0.5);
  EXPECT_EQ(kept.mean, (std::vector<double>{2, -1}));
  EXPECT_EQ(kept.variance, (std::vector<double>{0.5, 0.5}));
}

}  // namespace
}  // namespace orrery::norm::running_statistics_test
