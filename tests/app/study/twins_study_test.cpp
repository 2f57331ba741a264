// numerics/twins: every op can be shown, within its contract, and what it shows is what was computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "app/figure/data_range.h"
#include "app/study/changes.h"
#include "app/study/numerics/twin_use.h"
#include "core/op/sample.h"
#include "core/tensor/declined.h"
#include "tests/app/study/ask.h"

namespace orrery::study::twins_study_test {
namespace {

const parameter::Parameter& declared(std::string_view name) {
  const auto all = find("numerics/twins").parameters;
  return *std::ranges::find(all, name, &parameter::Parameter::name);
}

TEST(TwinsStudy, NamesEveryOpOfTheTable) {
  std::vector<std::string_view> names;
  for (const op::Op& each : op::table()) names.push_back(each.name);
  EXPECT_EQ(parameter::choices_of(declared("op")), names);
}

TEST(TwinsStudy, OffersEveryActivation) {
  const auto parameters = op::find("activation").parameters;
  const auto kind = std::ranges::find(parameters, "kind", &parameter::Parameter::name);
  EXPECT_EQ(declared("function").choices, kind->choices);
}

/// top_k takes numbers and computes none: where no element is off, the axis of how many does not go below 0.
TEST(TwinsStudy, NoElementsAreNotFewerThanNone) {
  const StudyResult result =
      compute("numerics/twins", {{"op", "top_k"}, {"show", "histogram"}}, DeviceChoice::cpu);
  EXPECT_GE(figure::y_range(result.figure.panels.at(0)).lo, 0);
}

TEST(TwinsStudy, EveryOpStaysWithinItsContract) {
  for (const op::Op& each : op::table())
    for (const char* width : {"2", "7", "64"}) {
      SCOPED_TRACE(std::string(each.name) + ", width " + width);
      const StudyResult result = compute(
          "numerics/twins", {{"op", each.name.data()}, {"rows", "5"}, {"width", width}}, DeviceChoice::cpu);
      EXPECT_FALSE(result.figure.panels.empty());
      ASSERT_FALSE(result.checks.empty());
      EXPECT_TRUE(all_hold(result)) << result.checks[0].value;
    }
}

// With as many numbers as the study allows each of these is a fifth of a second of plain loops, or two.
TEST(TwinsStudy, LongReferencesAskWhetherToStopBeforeEveryRow) {
  const Study& study = find("numerics/twins");
  for (const char* storage : {"f32", "bf16"})
    for (const char* op : {"attention", "scores", "feed_forward", "gated_feed_forward", "t5_bias"}) {
      int checks = 0;
      study::Run run;
      run.on_check = [&] { ++checks; };
      study.compute(changed(parameter::Settings(study.parameters),
                            std::string("rows=64 width=64 op=") + op + " storage=" + storage),
                    run);
      EXPECT_GE(checks, 64) << op << " " << storage;
    }
}

TEST(TwinsStudy, TheReferenceIsItself) {
  const StudyResult result = compute("numerics/twins", {{"op", "softmax"}}, DeviceChoice::ref);
  EXPECT_EQ(result.checks.at(0).value, 0);
  EXPECT_EQ(table(result, "worst_elements").columns.at(4).values.at(0), 0);
}

// A float result that is rounded once is off by half a unit at most; that of 256 squares summed is not always exact.
TEST(TwinsStudy, TheWorstElementsComeFirstAndAreWhatTheySay) {
  const StudyResult result = compute("numerics/twins", {{"op", "rms_norm"}}, DeviceChoice::cpu);
  const figure::Table& worst = table(result, "worst_elements");
  const auto& use = worst.columns.at(6).values;
  ASSERT_EQ(use.size(), 32u);
  EXPECT_GT(use[0], 0);
  EXPECT_TRUE(std::ranges::is_sorted(use, std::ranges::greater{}));
  EXPECT_EQ(use[0], result.checks[0].value);
  for (std::size_t i = 0; i < use.size(); ++i) {
    const auto at = [&](std::size_t c) { return worst.columns[c].values[i]; };
    EXPECT_EQ(at(4), at(3) - at(2));
    EXPECT_EQ(at(6), std::abs(at(4)) / at(5));
  }
}

// The limit is always on the axis, whether all shares lie below it or above; every element that is off is counted once.
TEST(TwinsStudy, EveryElementThatIsOffIsDrawnOnce) {
  for (const char* storage : {"f32", "bf16"}) {
    SCOPED_TRACE(storage);
    const StudyResult result =
        compute("numerics/twins", {{"op", "rms_norm"}, {"storage", storage}}, DeviceChoice::cpu);
    const auto sum = [](const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); };
    const figure::Table &shares = table(result, "histogram"), &bounds = table(result, "error_by_bound");
    EXPECT_EQ(sum(shares.columns[2].values), sum(bounds.columns[4].values));
    EXPECT_LE(sum(shares.columns[2].values), 64 * 256);
    EXPECT_GT(sum(shares.columns[2].values), 64 * 128);
    EXPECT_LE(shares.columns[0].values.front(), 1);
    EXPECT_GE(shares.columns[1].values.back(), 1);
    const figure::Table& rows = table(result, "rows");
    EXPECT_TRUE(std::ranges::is_sorted(rows.columns[2].values, std::ranges::greater{}));
    EXPECT_EQ(rows.columns[2].values[0], table(result, "worst_elements").columns[6].values[0]);
  }
}

TEST(TwinsStudy, HeadingsNameTheOp) {
  const StudyResult result = compute("numerics/twins", {{"op", "softmax"}}, DeviceChoice::cpu);
  for (const figure::Panel& panel : result.figure.panels) EXPECT_TRUE(panel.title.starts_with("softmax: "));
}

// bf16 has 8 bits: a twin of it is off by up to 2⁻⁹ of a value, about 2¹⁵ times what a float may be.
TEST(TwinsStudy, StagesOfFewBitsAreFarBeyondTheFloatBound) {
  const StudyResult result =
      compute("numerics/twins", {{"op", "rms_norm"}, {"storage", "bf16"}}, DeviceChoice::cpu);
  EXPECT_GT(table(result, "worst_elements").columns.at(6).values.at(0), 1000);
  EXPECT_TRUE(all_hold(result)) << "the float twin itself is held to its contract";
}

TEST(TwinUse, WhereTheDeviceDeclinesThatIsSaid) {
  op::Op op = op::find("softmax");
  op.gpu = nullptr;
  const op::Sizes sizes{.T = 4, .S = 8};
  const op::Call call =
      op::sample(op, op::sample_settings(op, sizes), sizes, op::random_values(1), op::Named::needed);
  study::Run run;
  run.device = DeviceChoice::gpu;
  EXPECT_THROW(twin_use(op, call, run, false), Declined);
  op.staged = nullptr;
  EXPECT_THROW(twin_use(op, call, run, true), Declined);
}

}  // namespace
}  // namespace orrery::study::twins_study_test
