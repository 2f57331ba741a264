// What the norms of a batch average, against numbers counted by hand; what BatchNorm keeps is held against PyTorch in
// tests/core/norm/running_statistics_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "app/study/kit/expects.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace {

/// Five samples of three positions of eight features, two groups: Wu and He's figure 2, counted.
TEST(NormAxes, EachNormAveragesSoManyNumbers) {
  const auto result = compute("norm/axes", {});
  const struct {
    const char* norm;
    double in_a_mean, means, kept;
    bool other_samples, other_positions;
  } rows[] = {{"BatchNorm", 15, 8, 16, true, true},
              {"InstanceNorm", 3, 40, 0, false, true},
              {"GroupNorm", 12, 10, 0, false, true},
              {"LayerNorm", 8, 15, 0, false, false},
              {"RMSNorm", 8, 15, 0, false, false}};
  for (const auto& row : rows) {
    const auto number = [&](const char* column) { return at(result, "norms", column, row.norm); };
    EXPECT_EQ(number("numbers in a mean"), row.in_a_mean) << row.norm;
    EXPECT_EQ(number("means in a batch"), row.means) << row.norm;
    EXPECT_EQ(number("kept for evaluation"), row.kept) << row.norm;
    EXPECT_EQ(number("other samples matter") == 1, row.other_samples) << row.norm;
    EXPECT_EQ(number("other positions matter") == 1, row.other_positions) << row.norm;
  }
}

TEST(NormAxes, GroupsThatDoNotDivideTheFeaturesAreFewer) {
  for (const auto& [groups, in_a_mean] : {std::pair{"5", 6.0}, {"3", 12.0}, {"16", 3.0}})
    EXPECT_EQ(at(compute("norm/axes", {{"groups", groups}}), "norms", "numbers in a mean", "GroupNorm"),
              in_a_mean)
        << groups;
}

TEST(NormAxes, FewerGroupsThanWereAskedForAreSaid) {
  const auto says = [](const char* groups, std::string_view words) {
    const auto result = compute("norm/axes", {{"groups", groups}});
    for (const figure::Panel& panel : result.figure.panels)
      for (const figure::Mark& mark : panel.marks)
        if (const auto* note = std::get_if<figure::Note>(&mark); note && note->text == words) return true;
    return false;
  };
  EXPECT_TRUE(says("15", "3 numbers, $G = 8$"));
  EXPECT_TRUE(says("5", "6 numbers, $G = 4$"));
  EXPECT_TRUE(says("8", "3 numbers"));
}

/// Momentum 1 keeps the last batch alone: in evaluation its own mean and unbiased variance.
TEST(NormAxes, TheEdgesKeepTheChecks) {
  EXPECT_TRUE(all_hold(compute("norm/axes", {{"momentum", "1"}, {"batch", "1"}, {"positions", "2"}})));
  EXPECT_TRUE(all_hold(compute("norm/axes", {{"batch", "1"}, {"positions", "1"}, {"eps", "1e-12"}})));
  EXPECT_TRUE(all_hold(compute("norm/axes", {{"feature_offset", "5"},
                                             {"sample_offset", "0"},
                                             {"feature_scale", "1"},
                                             {"eps", "1e-12"},
                                             {"features", "16"}})));
}

namespace norm_axes_title {

bool from_and_to(const titles::Said& said) {
  for (const char* norm : {"InstanceNorm", "GroupNorm", "LayerNorm", "RMSNorm"}) {
    const auto& values = said.column("by_batch", norm);
    for (const double value : values)
      if (std::abs(value - values.front()) > 1e-12) return false;
  }
  if (const auto kept = said.as("After {} batches BatchNorm keeps a mean of {} and a variance of {}")) {
    const auto &mean = said.column("running", "running mean"),
               &variance = said.column("running", "running variance");
    return titles::says((*kept)[0], static_cast<double>(mean.size() - 1)) &&
           titles::says((*kept)[1], mean.back(), 2) && titles::says((*kept)[2], variance.back(), 2);
  }
  const auto found =
      said.as("As the batch grows, BatchNorm takes the same number from {} to {}; the other norms leave it");
  const auto& values = said.column("by_batch", "BatchNorm");
  return found && titles::says((*found)[0], values.front(), 2) && titles::says((*found)[1], values.back(), 2);
}

const titles::Entries entries{{"norm/axes", from_and_to}};

}  // namespace norm_axes_title

}  // namespace
}  // namespace orrery::study
