// Wavelengths and caches of published models against the numbers that others printed.
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>
#include <set>
#include <string>
#include <string_view>

#include "app/study/rope/published.h"
#include "app/study/rope/source.h"
#include "tests/app/study/ask.h"
#include "tests/support/source.h"

namespace orrery::study::wavelengths_test {
namespace {

TEST(RopeWavelengths, Llama2ShowsNinetyTwoDimensionsWhole) {
  const auto result =
      compute("rope/wavelengths",
              {{"model", "own"}, {"base", "10000"}, {"head_width", "128"}, {"trained_length", "4096"}});
  EXPECT_EQ(at(table(result, "layers"), 0, 3), 46);
  EXPECT_NE(result.checks[0].statement.find("= 92 dimensions"), std::string::npos)
      << result.checks[0].statement;
  EXPECT_TRUE(all_hold(result));
}

TEST(RopeWavelengths, Llama31IsStretchedByEightWhereItIsSlow) {
  const auto result = compute("rope/wavelengths", {{"model", "llama-3.1-8b"}});
  const auto& pairs = table(result, "pairs");
  EXPECT_EQ(at(table(result, "layers"), 0, 2), 8192);
  EXPECT_EQ(at(table(result, "layers"), 0, 4), 131072);
  // models.md: the last frequency, to its 16 digits; pairs 0 … 28 as they were, 35 … 63 divided by 8.
  EXPECT_NEAR(at(pairs, 63, 2), 3.068925988914511e-07, 1e-21);
  EXPECT_DOUBLE_EQ(at(pairs, 28, 1), at(pairs, 28, 5));
  EXPECT_DOUBLE_EQ(at(pairs, 35, 1), 8 * at(pairs, 35, 5));
  // Stretched are also six that came round in training, one to four times.
  for (int pair = 0; pair < 64; ++pair) {
    const bool stretched = at(pairs, pair, 1) > 1.001 * at(pairs, pair, 5);
    EXPECT_EQ(stretched, pair > 28) << pair;
    EXPECT_EQ(stretched, at(pairs, pair, 3) < 4) << pair;
    EXPECT_EQ(at(pairs, pair, 3) >= 1, pair < 35) << pair;
  }
}

/// Pairs with 2π b^(2i/d) ≤ L, counted in Python: before any scaling, within the texts of the training.
TEST(RopeWavelengths, PairsComeRoundInTheTrainingThatTheyHad) {
  struct Fact {
    const char* model;
    std::vector<double> trained, round;  // by kind of layer
  };
  for (const Fact& fact : {Fact{"llama-3.1-8b", {8192}, {35}},
                           {"llama-3.2-1b", {8192}, {18}},
                           {"qwen2.5-7b-yarn4", {32768}, {40}},
                           {"deepseek-v3", {4096}, {23}},
                           {"gpt-oss-20b", {4096, 128}, {18, 9}},
                           {"olmo-3-7b", {8192, 4096}, {35, 32}},
                           {"gemma-3-4b-v5", {32768, 1024}, {80, 71}},
                           {"llama-4-scout", {8192}, {35}},
                           {"ministral-3-8b", {16384}, {37}},
                           {"phi-4-mini", {4096}, {34}},
                           {"smollm2-135m", {8192}, {20}}}) {
    SCOPED_TRACE(fact.model);
    const auto result = compute("rope/wavelengths", {{"model", fact.model}});
    const auto& layers = table(result, "layers");
    EXPECT_EQ(layers.columns[2].values, fact.trained);
    EXPECT_EQ(layers.columns[3].values, fact.round);
    EXPECT_TRUE(all_hold(result));
  }
}

TEST(RopeWavelengths, NoDistanceExceedsTheWindow) {
  const auto result = compute("rope/wavelengths", {{"model", "gemma-3-4b-v5"}});
  const auto& layers = table(result, "layers");
  EXPECT_EQ(at(layers, 0, 4), 131072);
  EXPECT_EQ(at(layers, 1, 4), 1024);
  EXPECT_EQ(at(layers, 0, 5), 73);  // of the global pairs, 8 times slower, within 131 072
  EXPECT_EQ(at(layers, 1, 5), 71);
  bool proved = false;  // 2⌈128 log_10000(1024/2π)⌉
  for (const Check& check : result.checks)
    proved = proved || check.statement.find("= 142 dim") != std::string::npos;
  EXPECT_TRUE(proved);
  EXPECT_EQ(at(table(compute("rope/wavelengths", {{"model", "llama-4-scout"}}), "layers"), 0, 4), 8192);
}

TEST(RopeWavelengths, TheTrainedLengthSaysItsSource) {
  const auto label = [](const char* model) {
    const StudyResult result = compute("rope/wavelengths", {{"model", model}});
    for (const figure::Mark& mark : result.figure.panels[0].marks)
      if (const auto* rule = std::get_if<figure::Rule>(&mark))
        if (rule->text.starts_with("trained length")) return rule->text;
    return std::string();
  };
  EXPECT_TRUE(label("llama-3.1-8b").ends_with("(original)")) << label("llama-3.1-8b");
  EXPECT_TRUE(label("gemma-3-4b-v5").ends_with("(known)")) << label("gemma-3-4b-v5");
  EXPECT_TRUE(label("smollm2-135m").ends_with("(longest)")) << label("smollm2-135m");
  EXPECT_TRUE(label("llama-4-scout").ends_with("(window)")) << label("llama-4-scout");
  EXPECT_FALSE(label("own").ends_with(")")) << label("own");
}

TEST(RopeWavelengths, Gemma4HasLayersWhoseSlowPairsStandStill) {
  const auto result = compute("rope/wavelengths", {{"model", "gemma-4-shape-v5"}});
  const auto& layers = table(result, "layers");
  ASSERT_EQ(layers.columns[0].values.size(), 2u);
  double still = 0;
  for (const double n : layers.columns[6].values) still += n;
  EXPECT_EQ(still, 192);  // of the 256 pairs of a full layer
  EXPECT_TRUE(all_hold(result));
  // The legend has an entry for every pair of the title.
  double counted = 0;
  bool told = false;
  for (const figure::Mark& mark : result.figure.panels[0].marks)
    if (const auto* points = std::get_if<figure::Points>(&mark)) {
      counted += static_cast<double>(points->x.size());
      told = told || points->label == "full attention: 192 pairs stand still";
    }
  double pairs = 0;
  for (const double n : column_called(result, "layers", "pairs")) pairs += n;
  EXPECT_EQ(counted, pairs);
  EXPECT_TRUE(told);
}

TEST(RopeWavelengths, EveryPublishedModelIsSound) {
  for (const std::string_view name : parameter::choices_of(model_parameter)) {
    const auto result = compute("rope/wavelengths", {{"model", std::string(name).c_str()}});
    for (const Check& check : result.checks) EXPECT_TRUE(check.holds()) << name << ": " << check.statement;
  }
}

TEST(Published, EveryChoiceIsAFileAndEveryFileAChoice) {
  std::set<std::string> models, files;
  for (const std::string_view name : parameter::choices_of(model_parameter)) {
    if (name == "own") continue;
    EXPECT_FALSE(published_model(name).layers.empty()) << name;
    models.insert(std::string(name) + ".json");
  }
  for (const auto& file : std::filesystem::directory_iterator(support::source("assets/models")))
    if (file.path().extension() == ".json") files.insert(file.path().filename().string());
  EXPECT_EQ(models, files);
  EXPECT_THROW(published_model("gpt-9"), InvalidArgument);
}

TEST(RopeAngles, TheCacheOfLlama31) {
  const auto result = compute("rope/angles", {{"model", "llama-3.1-8b"}});
  const auto& cache = table(result, "cache");
  // 131072 positions × 128 columns × (cos and sin) × 4 bytes = 128 MiB in f32, half of that in 16 bits.
  EXPECT_EQ(at(cache, 0, 5), 134217728);
  EXPECT_EQ(at(cache, 0, 6), 67108864);
  EXPECT_NE(result.figure.title.find("128 MiB in f32"), std::string::npos) << result.figure.title;
  const auto lean =
      compute("rope/angles", {{"model", "llama-3.1-8b"}, {"both_halves", "off"}, {"stored", "bf16"}});
  EXPECT_EQ(at(table(lean, "cache"), 0, 6), 33554432);
  EXPECT_NE(lean.figure.title.find("32 MiB in bf16"), std::string::npos) << lean.figure.title;
}

TEST(RopeAngles, AreThoseOfTheFormula) {
  const auto result = compute("rope/angles", {{"model", "own"}, {"head_width", "64"}, {"base", "10000"}});
  // 10000^(−32/64) = 1/100: cos 0.37 and sin 0.37, 16 digits; 1e-15 for the rounded angle.
  EXPECT_NEAR(at(table(result, "cos"), 37, 1 + 16), 0.9323273456060345, 1e-15);
  EXPECT_NEAR(at(table(result, "sin"), 37, 1 + 16), 0.3616154319649620, 1e-15);
  EXPECT_NEAR(at(table(result, "angle"), 37, 1), 37 - 10 * std::numbers::pi, 1e-14);
}

TEST(RopeAngles, TheSampledPictureIsTheTable) {
  const auto result =
      compute("rope/angles", {{"model", "own"}, {"head_width", "8"}, {"shown", "16"}, {"show", "cos"}});
  const auto& map = std::get<figure::Heatmap>(result.figure.panels[0].marks[0]);
  const figure::Grid grid = map.sampler({-0.5, 15.5}, {-0.5, 3.5}, 16, 4);
  const auto& cosines = table(result, "cos");
  for (int pair = 0; pair < 4; ++pair)
    for (int m = 0; m < 16; ++m)
      EXPECT_EQ(grid.values[static_cast<std::size_t>(pair * 16 + m)],
                static_cast<float>(at(cosines, m, 1 + static_cast<std::size_t>(pair))));
}

}  // namespace
}  // namespace orrery::study::wavelengths_test
