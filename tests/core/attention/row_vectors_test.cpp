// Vectors that are handed out by rows: means and balls of any stretch beside the rows themselves, and maps of them.
#include "core/attention/row_vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "core/attention/score_map.h"
#include "core/tensor/random.h"

namespace orrery::attention::row_vectors_test {
namespace {

using Floats = tensor::Matrix<float>;

Floats seeded(Index tokens, Index width, std::uint32_t stream) {
  return tensor::Random(3, stream).normals(tokens, width).cast<float>();
}

std::shared_ptr<const RowVectors> vectors_of(const Floats& all, std::size_t kept) {
  const auto rows = [all](Index first, Index count) { return Floats(all.middleRows(first, count)); };
  return std::make_shared<const RowVectors>(all.rows(), all.cols(), rows, rows, kept);
}

constexpr std::size_t none = 0;

TEST(RowVectors, MeansAndBallsAreThoseOfTheRows) {
  const Floats all = seeded(3000, 6, 1);
  for (const std::size_t kept : {none, RowVectors::most_kept}) {
    const auto vectors = vectors_of(all, kept);
    EXPECT_EQ(vectors->all_kept(), kept > 0);
    EXPECT_NEAR(vectors->mean_square(), all.cast<double>().squaredNorm() / 18000, 1e-12);
    EXPECT_EQ(vectors->longest(), all.cast<double>().rowwise().norm().maxCoeff());
    for (const auto& [first, end] : {std::pair<Index, Index>{0, 3000},
                                     {0, 1},
                                     {7, 8},
                                     {250, 260},
                                     {256, 512},
                                     {255, 1025},
                                     {100, 2999},
                                     {2816, 3000},
                                     {2900, 3000}}) {
      const tensor::Matrix<double> part = all.middleRows(first, end - first).cast<double>();
      const Ball ball = vectors->ball(first, end);
      const Eigen::RowVectorXd mean = part.colwise().mean();
      double farthest = 0;
      for (Index t = 0; t < part.rows(); ++t) {
        double square = 0;
        for (Index j = 0; j < 6; ++j) {
          const double apart = part(t, j) - ball.mean[static_cast<std::size_t>(j)];
          square += apart * apart;
        }
        farthest = std::max(farthest, std::sqrt(square));
      }
      // Sums of up to 3000 numbers of up to 4.
      for (Index j = 0; j < 6; ++j)
        EXPECT_NEAR(ball.mean[static_cast<std::size_t>(j)], mean(j), 3000 * 0x1p-51);
      EXPECT_GE(ball.radius, farthest) << first << " " << end;
      EXPECT_LE(ball.radius, 2 * farthest + 1e-12)
          << "about the chunks' own means it is at most twice as far";
    }
    EXPECT_EQ(vectors->rows(1000, 3), all.middleRows(1000, 3).cast<double>());
  }
}

TEST(RowVectors, AMapOfThemHasTheirScores) {
  const Floats q = seeded(700, 4, 1), k = seeded(700, 4, 2);
  const ScoreMap map(vectors_of(q, none), vectors_of(k, RowVectors::most_kept), 0.5, {});
  const tensor::Matrix<double> all = 0.5 * q.cast<double>() * k.cast<double>().transpose();
  EXPECT_EQ(map.tokens(), 700);
  EXPECT_NEAR(map.cell(699, 3), all(699, 3), 1e-15);
  const ScoreBlock block{{100, 650}, {0, 300}};
  const auto part = all.block(100, 0, 550, 300);
  EXPECT_NEAR(map.mean(block), part.mean(), 1e-14);
  EXPECT_EQ(map.exact(block).highest, map.extremes(block).highest.hi);
  EXPECT_NEAR(map.exact(block).highest, part.maxCoeff(), 1e-14);
  const Extremes bounds = map.bounds(block);
  EXPECT_GE(bounds.highest.hi, part.maxCoeff());
  EXPECT_LE(bounds.lowest.lo, part.minCoeff());
  const auto values = map.map({{0, 350}, {350, 700}}, {{0, 700}}, Shows::mean);
  EXPECT_NEAR(values[1], all.bottomRows(350).mean(), 1e-6);
}

TEST(RowVectors, WhatCannotBeReadAgainIsNoNumber) {
  const Floats all = seeded(600, 4, 1);
  const auto rows = [&](Index first, Index count) { return Floats(all.middleRows(first, count)); };
  const RowVectors vectors(
      600, 4, rows, [](Index, Index) -> Floats { throw std::runtime_error("gone"); }, none);
  EXPECT_TRUE(std::isnan(vectors.rows(5, 1)(0, 0)));
  EXPECT_TRUE(std::isnan(vectors.ball(5, 300).mean[0]));
  EXPECT_FALSE(std::isnan(vectors.ball(0, 512).mean[0])) << "whole chunks are known";
  // While it is looked through that is an error.
  EXPECT_THROW(RowVectors(
                   600, 4, [](Index, Index) -> Floats { throw std::runtime_error("gone"); }, rows),
               std::runtime_error);
}

}  // namespace
}  // namespace orrery::attention::row_vectors_test
