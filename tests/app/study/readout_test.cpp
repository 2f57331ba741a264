// What can be read off the figure of a study is what its tables say: no number on the screen is a height on the page.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/figure/reading.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/draw.h"
#include "tests/app/study/name_in_tests.h"

namespace orrery::study::readout_test {
namespace {

class Readouts : public testing::TestWithParam<const Study*> {};

std::vector<double> table_values(const StudyResult& result) {
  std::vector<double> all;
  for (const auto& table : result.tables)
    for (const auto& column : table.columns)
      all.insert(all.end(), column.values.begin(), column.values.end());
  std::ranges::sort(all);
  return all;
}

bool holds(const std::vector<double>& sorted, double v) {
  const double slack = 1e-6 * std::max(std::abs(v), 1e-6);  // a table may hold the double of a float
  const auto found = std::ranges::lower_bound(sorted, v - slack);
  return found != sorted.end() && *found <= v + slack;
}

/// Their curves are quotients, laws and single points that stand in no table.
constexpr std::array derived{
    "rope/scaling",       "rope/model",           "rope/identify",  "rope/rotation",
    "extrapolation/base", "position/sum",         "position/alibi", "position/bias-compare",
    "position/compare",   "activation/functions", "figure/marks"};

/// An axis of names is no axis of values: what stands on it is drawn in lanes.
bool in_lanes(const figure::Panel& panel) {
  return !panel.y.names.empty() || !panel.y.visible;
}

void expect_read_as_tabulated(const StudyResult& result, bool all_tabulated) {
  const std::vector<double> all = table_values(result);
  const double least = all.empty() ? 0 : all.front(), most = all.empty() ? 0 : all.back();
  for (std::size_t p = 0; p < result.figure.panels.size(); ++p) {
    const figure::Panel& panel = result.figure.panels[p];
    for (std::size_t m = 0; m < panel.marks.size(); ++m) {
      const auto samples = figure::samples(panel.marks[m]);
      if (!samples || !panel.x.visible) continue;
      const std::string name = figure::name_of(result.figure, static_cast<int>(p), static_cast<int>(m));
      EXPECT_FALSE(name.empty()) << "panel " << p << " '" << panel.title << "', mark " << m << " has no name";
      if (in_lanes(panel)) {
        EXPECT_NE(samples->value.data(), samples->y.data()) << name << " is drawn in a lane and has no value";
      }
      if (!all_tabulated) continue;
      std::size_t strange = 0;
      double first = 0;
      for (std::size_t i = 0; i < samples->count(); ++i) {
        const double v = samples->value[i];
        if (!std::isfinite(v) || holds(all, v)) continue;
        if (strange++ == 0) first = v;
      }
      EXPECT_EQ(strange, 0u) << "panel " << p << " '" << panel.title << "', '" << name << "', mark " << m
                             << ": " << first << " is in no table (" << least << " to " << most << ")";
    }
  }
}

TEST_P(Readouts, AreWhatTheTablesSay) {
  const Study& study = *GetParam();
  study::Run run;
  expect_read_as_tabulated(study.compute(parameter::Settings(study.parameters), run),
                           std::ranges::find(derived, study.id) == derived.end());
}

INSTANTIATE_TEST_SUITE_P(Studies, Readouts, testing::ValuesIn(studies().begin(), studies().end()),
                         name_in_tests);

TEST(Waves, GiveTheSineAndNotItsLane) {
  study::Run run;
  run.device = DeviceChoice::ref;
  const Study& study = find("position/sinusoidal");
  const StudyResult result = study.compute(parameter::Settings(study.parameters), run);
  const auto samples = figure::samples(result.figure.panels[2].marks[1]);  // the dots on the wave
  ASSERT_TRUE(samples);
  EXPECT_NEAR(samples->value[108], std::sin(108), 1e-15);
  EXPECT_EQ(figure::name_of(result.figure, 2, 1), "dimension 0");
}

}  // namespace
}  // namespace orrery::study::readout_test
