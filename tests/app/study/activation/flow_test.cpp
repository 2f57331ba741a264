// Signals through depth: what theory says of many layers, and other seeds.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace activation_flow_test {
namespace {

/// The mean square after a layer over that before it, a mean over layers and seeds in the logarithm.
double growth(Changes changes) {
  double sum = 0;
  constexpr int seeds = 4;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Study& study = find("activation/flow");
    parameter::Settings settings(study.parameters);
    for (const auto& [name, text] : changes) settings.set(name, text);
    settings.set("seed", std::to_string(seed));
    settings.set("width", "128");
    settings.set("depth", "4");
    const auto result = study.compute(settings, {});
    const auto& rms = table(result, "sizes").columns[1].values;
    sum += 2 * std::log(rms.back() / rms.front()) / 4 / seeds;
  }
  return std::exp(sum);
}

// He et al. 2015: with a variance of 2/n ReLU keeps the mean square, with 1/n it halves it. 16 layers of 128 units tell it to
// about a part in √(16 · 128 / 5): 5 %.
TEST(ActivationFlow, ReluKeepsTheMeanSquareWithHesVariance) {
  EXPECT_NEAR(growth({{"kind", "relu"}, {"init", "he"}}), 1, 0.15);
  EXPECT_NEAR(growth({{"kind", "relu"}, {"init", "xavier"}}), 0.5, 0.08);
}

// Klambauer et al. 2017: SELU has its fixed point at variance 1 with a variance of 1/n.
TEST(ActivationFlow, SeluKeepsItWithLecunsVariance) {
  EXPECT_NEAR(growth({{"kind", "selu"}, {"init", "xavier"}}), 1, 0.12);
}

// GPT-2's √N: as many branches add, whatever their number, one branch's share of the mean square.
TEST(ActivationFlow, ScaledBranchesAddTheSameWhateverTheirNumber) {
  const auto last = [](const char* depth, const char* scaled) {
    const auto result = compute(
        "activation/flow", {{"stream", "residual"}, {"norm", "rms"}, {"depth", depth}, {"scaled", scaled}});
    const auto& rms = table(result, "sizes").columns[1].values;
    return rms.back() / rms.front();
  };
  EXPECT_NEAR(last("64", "on") / last("8", "on"), 1, 0.2);
  EXPECT_GT(last("64", "off") / last("8", "off"),
            1.8);  // √((1 + 64 · 1)/(1 + 8 · 1)) = 2.7 where each adds 1
}

TEST(ActivationFlow, TheGradientIsTheDerivativeOfEveryLayer) {
  for (const char* norm : {"none", "layer", "rms"})
    for (const char* stream : {"direct", "residual"}) {
      const auto result = compute("activation/flow", {{"norm", norm}, {"stream", stream}, {"kind", "gelu"}});
      EXPECT_TRUE(all_hold(result)) << norm << " " << stream;
    }
}

bool says_the_ratios(const titles::Said& said) {
  const auto part = said.as("Through {} layers values come out {} times as large, gradients {} times");
  if (!part) return false;
  const auto& up = said.column("sizes", "values");
  const auto& down = said.column("sizes", "gradients");
  const auto ratio = [](double a, double b) { return b == 0 ? 0 : a / b; };
  return titles::says((*part)[0], said.settings.real("depth")) &&
         titles::says((*part)[1], ratio(up.back(), up.front()), 2) &&
         titles::says((*part)[2], ratio(down.front(), down.back()), 2);
}

const titles::Entries entries{{"activation/flow", says_the_ratios}};

}  // namespace
}  // namespace activation_flow_test
}  // namespace orrery::study
