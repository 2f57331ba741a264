// The numbers in the tables against numbers that were made elsewhere (tests/reference/values.json, 40-digit
// arithmetic), and against what a formula says must come out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "tests/app/study/ask.h"

namespace orrery::study::numbers_test {
namespace {

TEST(Rotation, ScoresOfAVectorWithItselfAreTheMeanCosine) {
  // rope_B of the reference values: Σ cos(m θ_i), d = 128, base 10 000. Over d/2 it is the score over |q|².
  const auto result =
      compute("rope/rotation",
              {{"head_width", "128"}, {"base", "10000"}, {"trained_length", "4096"}, {"vector", "0.6,-0.8"}});
  const auto& scores = table(result, "scores");
  ASSERT_EQ(scores.columns.size(), 4u);  // the chosen base is the paper's: one curve, and its range
  // 1e-10: 12 printed digits; frequencies and angles in double, vectors rounded to float once (same q and k).
  EXPECT_NEAR(at(scores, 1, 1) * 64, 62.093683805768, 1e-10);
  const auto mean_cosine = [](double m) {
    double sum = 0;
    for (int i = 0; i < 64; ++i) sum += std::cos(m * std::pow(10000.0, -i / 64.0)) / 64;
    return sum;
  };
  EXPECT_NEAR(at(scores, 8, 1), mean_cosine(8), 1e-12);
  // The last stretch: every whole distance in it, up to twice the trained length.
  double least = 1, most = -1, all = 0;
  const double from = scores.columns[0].values.back();
  for (double m = from; m <= 8192; ++m) {
    least = std::min(least, mean_cosine(m));
    most = std::max(most, mean_cosine(m));
    all += mean_cosine(m);
  }
  EXPECT_NEAR(scores.columns[1].values.back(), all / (8193 - from), 1e-11);
  EXPECT_NEAR(scores.columns[2].values.back(), least, 1e-11);
  EXPECT_NEAR(scores.columns[3].values.back(), most, 1e-11);
}

TEST(Rotation, TheAnglesAreThoseOfTheRoFormer) {
  const auto result = compute("rope/rotation", {{"head_width", "64"}, {"base", "10000"}, {"position", "37"}});
  const auto& pairs = table(result, "pairs");
  EXPECT_DOUBLE_EQ(at(pairs, 0, 1), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(at(pairs, 0, 2), 37);
  EXPECT_NEAR(at(pairs, 16, 2), 0.37, 1e-15);                // 10000^(−32/64) = 1/100
  EXPECT_NEAR(at(pairs, 16, 5), 0.9323273456060345, 1e-15);  // cos 0.37
  EXPECT_NEAR(at(pairs, 16, 6), 0.3616154319649620, 1e-15);  // sin 0.37
}

TEST(Rotation, Llama3ChangesThePairsThatItsPaperSays) {
  // Pairs 0 … 28 stay, 35 … 63 are divided by 8: d = 128, base 500 000, L = 8192.
  const Changes llama{{"head_width", "128"}, {"base", "500000"}, {"frequencies", "llama3"}, {"factor", "8"}};
  const auto plain = compute("rope/rotation", {{"head_width", "128"}, {"base", "500000"}});
  const auto scaled = compute("rope/rotation", llama);
  for (int i = 0; i < 64; ++i) {
    const double ratio = at(table(plain, "pairs"), i, 4) / at(table(scaled, "pairs"), i, 4);
    if (i <= 28) {
      EXPECT_DOUBLE_EQ(ratio, 1) << i;
    } else if (i < 35) {
      EXPECT_TRUE(ratio > 1 && ratio < 8) << i;
    } else {
      EXPECT_DOUBLE_EQ(ratio, 8) << i;
    }
  }
  EXPECT_EQ(table(scaled, "scores").columns.size(), 10u) << "three curves, each with its range";
}

TEST(Rotation, YarnMultipliesScoresByTheSquareOfItsFactor) {
  const auto result = compute("rope/rotation", {{"frequencies", "yarn"}, {"factor", "4"}, {"position", "0"}});
  EXPECT_NE(result.checks[0].statement.find("1.1386"), std::string::npos) << result.checks[0].statement;
  EXPECT_TRUE(result.checks[0].holds());
}

TEST(Rotation, NoVectorScoresNothing) {
  const auto result = compute("rope/rotation", {{"vector", "0,0"}});
  for (const double score : table(result, "scores").columns[1].values) EXPECT_EQ(score, 0);
}

TEST(Sinusoidal, DotProductsAreThePublishedOnes) {
  const auto result = compute("position/sinusoidal", {{"width", "128"}, {"length", "512"}});
  const auto& dots = table(result, "dot_products");
  // 12 and more printed digits; the queries are not rounded on the reference.
  for (const auto& [k, value] :
       {std::pair{0, 64.0}, {1, 62.0936838057676}, {5, 47.1850119698}, {10, 42.8200228985}}) {
    EXPECT_NEAR(at(dots, k, 1), value, 1e-10);
    EXPECT_NEAR(at(dots, -k, 1), value, 1e-10);
  }
}

TEST(Sinusoidal, TheSlowestWaveOfTensor2TensorIsExactlyTheBase) {
  const auto paper = compute("position/sinusoidal", {{"width", "64"}});
  const auto t2t = compute("position/sinusoidal", {{"width", "64"}, {"layout", "tensor2tensor"}});
  EXPECT_NEAR(at(table(t2t, "frequencies"), 31, 2), 2 * std::numbers::pi * 1e4, 1e-9);
  EXPECT_NEAR(at(table(paper, "frequencies"), 31, 2), 2 * std::numbers::pi * std::pow(1e4, 62.0 / 64), 1e-9);
}

TEST(Sinusoidal, TheSampledPictureIsTheTable) {
  // 2^17 × 8 cells are sampled; at one pixel per cell the sampler must give what the small table holds.
  const auto large =
      compute("position/sinusoidal", {{"length", "131072"}, {"width", "8"}, {"show", "table"}});
  const auto small = compute("position/sinusoidal", {{"length", "64"}, {"width", "8"}, {"show", "table"}});
  const auto& sampled = std::get<figure::Heatmap>(large.figure.panels[0].marks[0]);
  const auto& built = std::get<figure::Heatmap>(small.figure.panels[0].marks[0]);
  ASSERT_TRUE(sampled.sampler);
  ASSERT_FALSE(sampled.grid);
  ASSERT_TRUE(built.grid);
  EXPECT_EQ(sampled.sampler({-0.5, 63.5}, {-0.5, 7.5}, 64, 8).values, built.grid->values);
}

TEST(NormCompare, TheDistanceIsThatOfAProjection) {
  // With a common mean of μ deviations the two results meet at the angle whose cosine is 1/√(1 + μ²), and
  // both have RMS 1: their RMS distance is √(2 − 2/√(1 + μ²)). 1e-6: ε = 1e-12, and x is not rounded on the
  // reference.
  const auto result = compute("norm/compare", {{"eps", "1e-12"}, {"width", "256"}});
  const auto& distance = table(result, "distance_by_mean");
  for (std::size_t i = 0; i < distance.columns[0].values.size(); ++i) {
    const double mean = distance.columns[0].values[i];
    EXPECT_NEAR(distance.columns[1].values[i], std::sqrt(std::max(0.0, 2 - 2 / std::hypot(1, mean))), 1e-6)
        << mean;
  }
}

TEST(Activations, LeastValuesStandInTheTable) {
  const auto result = compute("activation/functions", {{"gelu_tanh", "on"}});
  const auto& minima = table(result, "minima");
  EXPECT_EQ(minima.columns[0].words, (std::vector<std::string>{"GELU", "GELU, tanh form", "SiLU"}));
  ASSERT_EQ(minima.columns[1].values.size(), 3u);  // GELU, its tanh form, SiLU; ReLU has no single place
  // The place is only as sharp as a slope of 1e-16 allows.
  EXPECT_NEAR(minima.columns[1].values[0], -0.7517915246935645, 1e-15);
  EXPECT_NEAR(minima.columns[1].values[1], -0.7524614220710163, 1e-15);
  EXPECT_NEAR(minima.columns[1].values[2], -1.278464542761074, 1e-15);
}

TEST(Scores, WithoutRopeEqualVectorsShareTheWeightEvenly) {
  const auto result = compute("attention/scores", {{"content", "alike"}, {"rope", "off"}, {"length", "32"}});
  const auto& rows = table(result, "rows");
  for (int m = 0; m < 32; ++m) {
    EXPECT_EQ(at(rows, m, 1), m + 1);
    EXPECT_NEAR(at(rows, m, 2), std::log(m + 1), 1e-12);
    EXPECT_NEAR(at(rows, m, 4), 1.0 / (m + 1), 1e-12);
  }
}

TEST(Scores, ASlidingWindowSeesItsWidth) {
  const auto rows = table(
      compute("attention/scores", {{"content", "random"}, {"mask", "sliding"}, {"window", "5"}}), "rows");
  for (int m = 0; m < 24; ++m) EXPECT_EQ(at(rows, m, 1), std::min(m + 1, 5));
}

TEST(Scores, WithoutTheRootOfTheWidthOneKeyTakesNearlyAll) {
  // The logits have a deviation of √64 = 8, far beyond the freezing point √(2 ln 512) = 3.5.
  const auto frozen = compute(
      "attention/scores", {{"content", "random"}, {"length", "512"}, {"mask", "none"}, {"scaled", "off"}});
  const auto even = compute("attention/scores", {{"content", "random"}, {"length", "512"}, {"mask", "none"}});
  const auto mean_entropy = [](const StudyResult& result) {
    const auto& entropy = table(result, "rows").columns[2].values;
    return std::accumulate(entropy.begin(), entropy.end(), 0.0) / static_cast<double>(entropy.size());
  };
  // ln 512 − 1/2 = 5.738 for unit logits, less what a mean over keys leaves; 0.05 is three deviations of the
  // mean.
  EXPECT_NEAR(mean_entropy(even), std::log(512) - 0.5, 0.05);
  EXPECT_LT(mean_entropy(frozen), 1);
}

}  // namespace
}  // namespace orrery::study::numbers_test
