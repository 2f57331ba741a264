// Paths of the gradient, against PyTorch's autograd, which finds them another way: tests/reference/make_block_starts.py.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/source.h"

namespace orrery::study {
namespace block_gradient_path_test {
namespace {

using nlohmann::json;

constexpr const char* id = "block/gradient-path";

/// What a kind of stack is called in the tables.
std::string name_of(const std::string& placement) {
  return placement == "pre"         ? "Pre-LN"
         : placement == "post"      ? "Post-LN"
         : placement == "output"    ? "output norm"
         : placement == "deep_norm" ? "DeepNorm"
         : placement == "none"      ? "no residual"
                                    : placement;
}

json cases() {
  std::ifstream file(support::source("tests/reference/block_starts.json"));
  return json::parse(file).at("paths");
}

TEST(BlockGradientPath, AgreesWithAutogradsPolynomialInTheSublayersFactor) {
  for (const json& c : cases()) {
    SCOPED_TRACE(c.at("placement").get<std::string>() + " " + c.at("init").get<std::string>());
    const auto text = [&](const char* key) { return std::to_string(c.at(key).get<int>()); };
    const Study& study = find(id);
    parameter::Settings settings(study.parameters);
    for (const char* key : {"depth", "width", "tokens", "seed"}) settings.set(key, text(key));
    for (const char* key : {"init", "norm", "activation"}) settings.set(key, c.at(key).get<std::string>());
    settings.set("scaled", c.value("scaled", false) ? "on" : "off");
    study::Run run;
    run.device = DeviceChoice::ref;
    const StudyResult result = study.compute(settings, run);
    const std::string name = name_of(c.at("placement"));
    const auto identity = column_called(result, "path", name);
    const auto gradient = column_called(result, "path", name + ", gradient");
    // The polynomial's coefficients are found through a matrix whose inverse has numbers up to some hundred: 10⁻¹² of the
    // whole.
    ASSERT_EQ(identity.size(), c.at("identity").size());
    for (std::size_t k = 0; k < identity.size(); ++k) {
      EXPECT_NEAR(identity[k], c.at("identity").at(k).get<double>(), 1e-11) << k;
      EXPECT_NEAR(gradient[k], c.at("gradient").at(k).get<double>(), 1e-11) << k;
      double so_far = 0;
      for (std::size_t m = 0; m < 4; ++m) {
        constexpr const char* reached[] = {", identity", ", up to 1", ", up to 2", ", all"};
        so_far += 100 * c.at("shares").at(k).at(m).get<double>();
        EXPECT_NEAR(column_called(result, "shares", name + reached[m])[k], so_far, 1e-8) << k << " " << m;
      }
    }
  }
}

// Xavier's networks of ReLU have branches of variance v = 0.32 (F σ₂² D σ₁²/2 with F = 4 D): (1 + v)^{-1/2} is the factor
// of a sum whose stream has variance 1, in the mean over directions but two of D.
TEST(BlockGradientPath, PostLnLosesTheFactorOfEachNetworksSum) {
  const auto result = compute(id, {{"width", "128"}, {"tokens", "32"}, {"placement", "post"}});
  const auto factors = column_called(result, "sums", "path, by feed-forward");
  // The variance of 128 numbers is off by √(2/128) of itself, its root by half of that, and tokens that attention has made
  // alike are off together: one layer's factor by 6 %. The layers' weights are independent: their mean by √layers less,
  // three times.
  const double mean = std::accumulate(factors.begin(), factors.end(), 0.0) / double(factors.size());
  const double expected = 1 / std::sqrt(1.32), off = expected * std::sqrt(2.0 / 128) / 2;
  EXPECT_NEAR(mean, expected, 3 * off / std::sqrt(double(factors.size())));
  for (const double factor : factors) EXPECT_LT(factor, 1);
}

TEST(BlockGradientPath, WithoutResidualConnectionsNothingComesByTheIdentity) {
  const auto result = compute(id, {{"depth", "4"}});
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(column_called(result, "path", "no residual")[k], 0);
    EXPECT_EQ(column_called(result, "shares", "no residual, identity")[k], 0);
  }
  // At place k, 8 − k sums below the top, all has come through 8 − k sublayers.
  EXPECT_NEAR(column_called(result, "shares", "no residual, up to 2")[6], 100, 1e-9);
  EXPECT_EQ(column_called(result, "shares", "no residual, up to 1")[6], 0);
}

// A path keeps no more than all: what is longer has grown.
TEST(BlockGradientPath, WhatGrowsIsNotKept) {
  const auto grown =
      compute(id, {{"depth", "4"}, {"width", "16"}, {"tokens", "2"}, {"init", "normal"}, {"seed", "7"}});
  EXPECT_GT(column_called(grown, "path", "Post-LN").front(), 1);
  EXPECT_NE(grown.figure.title.find("makes it 1.3 times as long with Post-LN"), std::string::npos)
      << grown.figure.title;
  const auto usual = compute(id, {});
  EXPECT_LT(column_called(usual, "path", "Post-LN").front(), 1);
  EXPECT_NE(usual.figure.title.find("% of it with Post-LN"), std::string::npos) << usual.figure.title;
}

TEST(BlockGradientPath, FloatsAgreeWithDoubles) {
  const auto exact = compute(id, {}), fast = compute(id, {}, DeviceChoice::cpu);
  for (const auto& column : table(exact, "path").columns) {
    const auto other = column_called(fast, "path", column.name);
    for (std::size_t k = 0; k < other.size(); ++k)
      EXPECT_NEAR(other[k], column.values[k], 1e-4 * (1e-3 + column.values[k])) << column.name << " " << k;
  }
  EXPECT_TRUE(all_hold(exact));
  EXPECT_TRUE(all_hold(fast));
}

bool says_what_is_left(const titles::Said& said) {
  for (const char* layers : {"layers", "layer"})
    for (const bool grown : {false, true}) {
      const auto part = said.as(
          std::string("Through {} ") + layers + " the identity path keeps all of the gradient with Pre-LN, " +
          (grown ? "and makes it {} times as long with Post-LN" : "{} % of it with Post-LN"));
      if (!part) continue;
      const double depth = said.settings.real("depth"), left = said.column("path", "Post-LN").front();
      // Two digits of what is a little more than all are all.
      return titles::counts((*part)[0], layers, "layer", "layers") && titles::says((*part)[0], depth) &&
             said.column("path", "Pre-LN").front() == 1 && grown == (left >= 1.05) &&
             titles::says((*part)[1], grown ? left : 100 * left, 2);
    }
  return false;
}

/// "At each sum: Post-LN" says no number.
const titles::Entries entries{{id, says_what_is_left}};

}  // namespace
}  // namespace block_gradient_path_test
}  // namespace orrery::study
