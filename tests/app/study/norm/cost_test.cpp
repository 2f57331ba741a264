// What norm/cost says, against numbers from elsewhere; study_test.cpp asks all studies what all must do.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// Llama 2 7B, 4096 tokens read: 65 norms of D = 4096 against everything that moves (tests/core/model/norm_cost_test.cpp).
TEST(NormCostStudy, SharesAreThoseCountedByHand) {
  const auto result = compute("norm/cost", {});
  const double D = 4096, L = 32, F = 11008, V = 32000, n = 4096, norms = 65 * D + n * 2 * 65 * D;
  const double matrices = L * (4 * D * D + 3 * D * F) + V * D;
  const double others = n * (L * (19 * D + 6 * F) + 2 * D) + V + D, keys = n * L * 2 * D;
  EXPECT_NEAR(at(result, "norms", "moved in reading", "as published"),
              100 * norms / (norms + matrices + others + keys), 1e-9);
  EXPECT_NEAR(at(result, "norms", "parameters of norms", "as published"), 100 * 266240.0 / 6738415616, 1e-12);
  // Scores are of half the keys on average: 4 D (N + 1)/2 a layer.
  const double operations = 2 * matrices + L * 4 * D * (n + 1) / 2, own = 4 * 65 * D;
  EXPECT_NEAR(at(result, "norms", "operations", "as published"), 100 * own / (own + operations), 1e-9);
  EXPECT_EQ(at(result, "norms", "moved a token", "RMSNorm"), 2 * 2 * 65 * D);
  EXPECT_TRUE(all_hold(result));
}

TEST(NormCostStudy, EveryModelHasARowAndOnlyDecodersWrite) {
  const auto result = compute("norm/cost", {});
  EXPECT_GE(table(result, "models").columns[0].words.size(), 50u);
  EXPECT_EQ(at(result, "models", "of norms", "LLaMA 7B"), 266240);
  EXPECT_EQ(at(result, "models", "moved in writing", "BERT base"), 0);
  EXPECT_GT(at(result, "models", "moved in reading", "T5 small"), 1);
  const auto columns_of = [](const char* model) {
    return table(compute("norm/cost", {{"model", model}}), "steps").columns.size();
  };
  EXPECT_EQ(columns_of("bert-base"), 2u);
  EXPECT_EQ(columns_of("gpt2"), 3u);
}

/// As the derivation has it, one in so many D: two LayerNorms, 2·2 D and 2·7 D, beside 12 D² numbers and 24 D² operations; two
/// RMSNorms 2 D and 8 D. Embeddings, 1 % here, and scores of 4096 tokens, n/12 D of the operations, make it less.
TEST(NormCostStudy, NormsAreOneInSomeWidths) {
  const auto result = compute("norm/cost", {});
  const auto one_in = [&](const char* share, const char* model, double width) {
    return 100 / at(result, "models", share, model) / width;
  };
  const auto expect_least_more = [](double found, double derived) {
    EXPECT_GT(found, 0.99 * derived);
    EXPECT_LT(found, 1.05 * derived);
  };
  expect_least_more(one_in("parameters of norms", "GPT-3", 12288), 12.0 / 4);
  expect_least_more(one_in("parameters of norms", "LLaMA 65B", 8192), 12.0 / 2);
  expect_least_more(one_in("operations", "GPT-3", 12288), 24.0 / 14);
  expect_least_more(one_in("operations", "LLaMA 65B", 8192), 24.0 / 8);
  EXPECT_GT(one_in("parameters of norms", "Qwen3 30B A3B", 2048), 10 * 12.0 / 2);
}

/// Gemma 3 has four norms in each of 26 layers and one at the end, and a norm for the queries and one for the keys of every
/// layer; DeepSeek V3 two and the last, and in each layer those of its two short vectors; GPT-2's have a shift.
TEST(NormCostStudy, TheWorkedSumIsOfTheModelsOwnNorms) {
  const auto begins = [](const char* model, const char* sum) {
    const std::string worked = compute("norm/cost", {{"model", model}}).worked;
    EXPECT_TRUE(worked.starts_with("P_{\\mathrm{norms}} = " + std::string(sum))) << model << ": " << worked;
  };
  begins("gemma-3-1b", "105 \\cdot 1152 + 52 \\cdot 256 = ");
  begins("deepseek-v3", "123 \\cdot 7168 + 61 \\cdot 1536 + 61 \\cdot 512 = ");
  begins("gpt2", "25 \\cdot 2 \\cdot 768 = ");
}

namespace norm_cost_title {

/// "… norms are 0.00395 % of the parameters, …"
bool says_the_shares(const titles::Said& said) {
  const bool one = said.settings.integer("tokens") == 1;
  const auto part =
      said.as(one ? "{}: norms are {} % of the parameters, {} % of the operations, and {} % of the bytes "
                    "that move in reading {} token"
                  : "{}: norms are {} % of the parameters, {} % of the operations, and {} % of the bytes "
                    "that move in reading {} tokens");
  const auto share = [&](const char* name) { return said.column("norms", name).front(); };
  return part && titles::says((*part)[1], share("parameters of norms"), 3) &&
         titles::says((*part)[2], share("operations"), 3) &&
         titles::says((*part)[3], share("moved in reading"), 3) &&
         titles::number_of((*part)[4]) == static_cast<double>(said.settings.integer("tokens"));
}

const titles::Entries entries{{"norm/cost", says_the_shares}};

}  // namespace norm_cost_title

}  // namespace
}  // namespace orrery::study
