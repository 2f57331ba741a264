// DeepNorm against its paper and against PyTorch with random numbers of its own; study_test.cpp asks all studies what all
// must do.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "app/study/block/deepnorm_measured.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/block/pytorch_stacks.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace block_deepnorm_test {
namespace {

/// Of each seed by itself: the study's curves are means over them.
std::vector<double> changes_of_seeds(const char* step, std::string_view place, int depth) {
  std::vector<double> all;
  for (int seed = 11; seed < 19; ++seed) {
    const StudyResult result =
        compute("block/deepnorm", {{"step", step}, {"seeds", "1"}, {"seed", std::to_string(seed).c_str()}},
                DeviceChoice::cpu);
    const figure::Table& changes = table(result, "changes");
    const auto found = std::ranges::find(changes.columns, place, &figure::Column::name);
    all.push_back(at(changes, depth, static_cast<std::size_t>(found - changes.columns.begin())));
  }
  return all;
}

// Means agree within five of their standard errors, in one comparison of three million by chance alone.
TEST(BlockDeepnorm, AStepChangesWhatItDoesInPyTorch) {
  for (const char* step : {"sgd", "adam"})
    for (const char* key : {"post", "pre", "deep_norm"})
      for (const int depth : {6, 24}) {
        const double apart =
            of_pytorch(key, depth, step).errors_apart(changes_of_seeds(step, norm_place(key).name, depth));
        std::printf("%-5s %-10s %2d layers: %.1f standard errors apart\n", step, key, depth, apart);
        EXPECT_LT(apart, 5) << step << " " << key << " " << depth;
      }
}

// The paper's theorem: with DeepNorm the change by a step of gradient descent does not grow with the depth. Between 3 and
// 24 layers it would grow eightfold with Post-LN's law.
TEST(BlockDeepnorm, AStepIsAsLargeAtEveryDepth) {
  const figure::Table changes =
      table(compute("block/deepnorm", {{"rate", "0.001"}, {"seeds", "8"}}, DeviceChoice::ref), "changes");
  const auto& post = changes.columns[1].values;
  const auto& deep = changes.columns[3].values;
  EXPECT_NEAR(deep.back() / deep.front(), 1,
              0.25);  // 12 % is the deviation of one seed: four standard errors of the ratio
  EXPECT_GT(post.back() / post.front(), 4);
}

// Wang et al., figure 2, worked out to ten digits with mpmath.
TEST(BlockDeepnorm, ConstantsAreThePublishedOnes) {
  const StudyResult result =
      compute("block/deepnorm", {{"layers", "12"}, {"decoder_layers", "6"}, {"seeds", "1"}});
  const figure::Table& here = table(result, "here");
  const std::vector<double> alpha{2.213363839400643, 1.686222126, 2.059767144},
      beta{0.3194715521231362, 0.417916471, 0.343294524};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(here.columns[2].values[i], alpha[i], 1e-9);
    EXPECT_NEAR(here.columns[3].values[i], beta[i], 1e-9);
  }
  const figure::Table& told = table(result, "told");
  EXPECT_NEAR(at(told, 100, 1), 3.760603093, 1e-9);
  EXPECT_NEAR(at(told, 100, 2), 0.188030155, 1e-9);
  EXPECT_NEAR(at(told, 1000, 1), 6.687403050, 1e-9);
  EXPECT_NEAR(at(told, 1000, 2), 0.105737126, 1e-9);
}

bool says_how_changes_grow(const titles::Said& said) {
  const bool adam = said.settings.choice("step") == "adam";
  const auto part = said.as(
      adam
          ? "From {} to {} layers the change by Adam's first step is multiplied by {} with {}, by {} with {}"
          : "From {} to {} layers the change by a step of gradient descent is multiplied by {} with {}, by {} with {}");
  if (!part) return false;
  const auto& depths = said.column("changes", "layers");
  const auto right = [&](std::size_t times, std::string_view place) {
    const auto& change = said.column("changes", place);
    return (*part)[times + 1] == place &&
           titles::says((*part)[times], change.back() / change[change.size() - 2], 2);
  };
  return titles::says((*part)[0], depths[depths.size() - 2]) && titles::says((*part)[1], depths.back()) &&
         right(2, "Post-LN") && right(4, "DeepNorm");
}

const titles::Entries entries{{"block/deepnorm", says_how_changes_grow}};

}  // namespace
}  // namespace block_deepnorm_test
}  // namespace orrery::study
