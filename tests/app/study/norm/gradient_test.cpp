// The Jacobians of the norms, against numbers from elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// Rank D − 2 and D − 1 (Xiong et al. 2020; the Jacobians of the papers with epsilon = 0).
TEST(NormGradient, TheRanksAreTwoLessAndOneLess) {
  const auto zeros = [](const char* norm) {
    const auto result = compute("norm/gradient", {{"norm", norm}, {"eps", "1e-12"}, {"width", "24"}});
    int count = 0;
    for (const double value : column(result, "spectrum", "eigenvalue")) count += std::abs(value) < 1e-10;
    return count;
  };
  EXPECT_EQ(zeros("LayerNorm"), 2);
  EXPECT_EQ(zeros("RMSNorm"), 1);
}

/// silu(0) · 0: torch's autograd says zeros for SwiGLU's gain at 0, and not for attention's.
TEST(NormGradient, AZeroGainIsDeadInSwiGluAlone) {
  const auto result = compute("norm/gradient", {});
  EXPECT_EQ(at(result, "zero_gain", "SwiGLU", 0), 0);
  EXPECT_GT(at(result, "zero_gain", "attention", 0), 0.01);
  EXPECT_GT(at(result, "zero_gain", "SwiGLU", 0.5), 0.01);
}

/// W and β drawn again, and multiplied, by tests/reference/arithmetic.py.
TEST(NormGradient, TheNextLayerHoldsTheBias) {
  const auto result = compute("norm/gradient", {{"show", "bias"}});
  for (const char* column :
       {"added to the first token", "added to the second token", "bias through the layer"})
    EXPECT_NEAR(at(result, "absorbed", column, 0), -1.922644011322898, 1e-13) << column;
  const auto& first = column(result, "absorbed", "first token");
  const auto& second = column(result, "absorbed", "second token");
  EXPECT_GT(std::abs(first[0] - second[0]), 0.01);  // it is another token
}

TEST(NormGradient, HoldsAtTheEnds) {
  EXPECT_TRUE(all_hold(
      compute("norm/gradient", {{"eps", "1e-12"}, {"scale", "1e-6"}, {"mean", "5"}, {"width", "3"}})));
  EXPECT_TRUE(all_hold(
      compute("norm/gradient",
              {{"eps", "1"}, {"scale", "1000"}, {"mean", "-5"}, {"width", "48"}, {"norm", "RMSNorm"}})));
}

namespace norm_gradient_title {

bool forgotten(const titles::Said& said) {
  const auto& values = said.column("spectrum", "eigenvalue");
  const double share = said.column("result", "share along the token")[0];
  const std::string& norm = said.settings.choice("norm");
  if (said.settings.choice("show") == "bias") {
    const auto bias = said.as(
        "What a bias behind {} adds is the same for every token: the next layer's own bias can hold it");
    const auto &one = said.column("absorbed", "added to the first token"),
               &other = said.column("absorbed", "added to the second token"),
               &alone = said.column("absorbed", "bias through the layer");
    bool same = true;
    for (std::size_t k = 0; k < one.size(); ++k)
      same = same && std::abs(one[k] - other[k]) < 1e-12 && std::abs(one[k] - alone[k]) < 1e-12;
    return same && bias && (*bias)[0] == norm;
  }
  if (said.settings.real("gain") == 0)
    return said.is("A gain of 0 lets no gradient back through the norm") && values.front() == 0;
  // The largest eigenvalue is what passes across the token; the one along it comes before LayerNorm's 0 of the ones.
  if (const auto part =
          said.as("Epsilon lets a change along the token pass {}, {} % as strong as one across it")) {
    const double along = values[values.size() - (norm == "LayerNorm" ? 2 : 1)];
    return share >= 0.01 && std::abs(along / values.front() - share) < 1e-6 && (*part)[0] == norm &&
           titles::says((*part)[1], 100 * share, 2);
  }
  const double D = said.settings.real("gain") == 0 ? 0 : static_cast<double>(values.size());
  // Little of the largest passes in the forgotten directions.
  const std::size_t forgotten = norm == "LayerNorm" ? 2 : 1;
  if (values.size() > forgotten && values[values.size() - forgotten] > 0.0101 * values.front()) return false;
  const auto part = forgotten == 2
                        ? said.as("{}'s Jacobian forgets two directions of {}: the ones, and the token's own")
                        : said.as("{}'s Jacobian forgets one direction of {}: the token's own");
  return share < 0.01 && part && (*part)[0] == norm && titles::says((*part)[1], D);
}

const titles::Entries entries{{"norm/gradient", forgotten}};

}  // namespace norm_gradient_title

}  // namespace
}  // namespace orrery::study
