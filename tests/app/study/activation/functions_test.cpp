// The activation functions: values and derivatives as mpmath gives them in 40 digits, groups, typed points, and what was
// once written in recipes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/parameter/former.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace activation_functions_test {
namespace {

const std::vector<double>& column_of(const figure::Table& t, std::string_view name) {
  return std::ranges::find(t.columns, name, &figure::Column::name)->values;
}

TEST(ActivationFunctions, TypedPointsHaveTheKnownValuesOnEveryDevice) {
  const auto result =
      compute("activation/functions", {{"group", "all"}, {"points", "-1,1"}}, DeviceChoice::cpu);
  const auto& points = table(result, "points");
  EXPECT_EQ(points.columns.size(), 31u);  // x, and fifteen functions with their derivatives
  const struct {
    const char* name;
    double f, slope;
  } known[] = {{"GELU", 0.8413447460685429, 1.0833154705876864},
               {"GELU, tanh form", 0.8411919906082767, 1.0829640838457826},
               {"GELU, sigmoid form", 0.8457957659328212, 1.067779606556334},
               {"SiLU", 0.7310585786300049, 0.9276705118714867},
               {"Mish", 0.8650983882673103, 1.0490362200997922}};
  for (const auto& each : known) {
    EXPECT_NEAR(column_of(points, each.name)[1], each.f, 4e-16) << each.name;
    EXPECT_NEAR(column_of(points, std::string(each.name) + ", derivative")[1], each.slope, 7e-16)
        << each.name;
  }
}

// The notes of a course have −0.155 for GELU(−0.5): it is −0.154.
TEST(ActivationFunctions, TheUsualPointsStandWhereNoneAreTyped) {
  const auto points = table(compute("activation/functions", {{"points", ""}}), "points");
  EXPECT_EQ(points.columns[0].values, (std::vector<double>{-2, -0.5, 0, 0.5, 2}));
  EXPECT_NEAR(column_of(points, "GELU")[1], -0.15426876936299347, 1e-16);
  EXPECT_NEAR(column_of(points, "SiLU")[0], -0.23840584404423515, 1e-16);
}

TEST(ActivationFunctions, AGroupTakesNoNoticeOfWhatIsChosenBelow) {
  const auto result = compute("activation/functions", {{"group", "bounded"}, {"relu", "on"}});
  EXPECT_EQ(table(result, "values").columns.size(), 5u);  // x, sigmoid, tanh, and their derivatives
}

/// Sigmoid and tanh end at 1 however far x goes: the axis is theirs.
TEST(ActivationFunctions, TheAxisIsThatOfTheCurves) {
  const auto axis = [](const char* group) {
    const auto result =
        compute("activation/functions", {{"group", group}, {"range", "20"}, {"show", "functions"}});
    return result.figure.panels.at(0).y.range.value();
  };
  EXPECT_LE(axis("bounded").hi, 1.5);
  EXPECT_GE(axis("bounded").lo, -1.5);
  EXPECT_GT(axis("bounded").hi, 1);
  EXPECT_LT(axis("bounded").lo, -1);
  EXPECT_EQ(axis("all").hi, 20);
}

TEST(ActivationFunctions, FormerNamesOfWhatIsShownAreStillRead) {
  parameter::Settings settings(find("activation/functions").parameters);
  settings.set("show", "slopes");
  EXPECT_EQ(settings.choice("show"), "derivatives");
  settings.set("show", parameter::Value(std::string("difference")));  // as a recipe sets it
  EXPECT_EQ(settings.choice("show"), "functions");
  EXPECT_THROW(settings.set("show", "slope"), InvalidArgument);
  const auto& show = settings.declared().back();
  for (const std::string_view choice : parameter::choices_of(show)) EXPECT_EQ(choice.find('<'), choice.npos);
  EXPECT_EQ(parameter::todays_choice(show, "all"), "all");
}

TEST(ActivationFunctions, TheWorkedFormulaHasTheNumbers) {
  EXPECT_EQ(
      compute("activation/functions", {}).worked,
      R"(\mathrm{ReLU}(-2) = \max(0, -2) = 0 \quad \mathrm{SiLU}(-2) = \frac{-2}{1 + e^{-(-2)}} \approx -0.2384)");
}

/// A clause for each of up to three functions, in the order of the table; of more, how many have a row among the minima.
bool says_the_left_side(const titles::Said& said) {
  const auto& columns = said.table("values").columns;
  const auto& least = said.column("minima", "least value");
  const std::size_t count = (columns.size() - 1) / 2;
  if (count == 0) return said.is("No function is chosen");
  if (count > 3) {
    if (least.empty())
      return said.is(std::to_string(count) + " functions, none of which dips and rises again");
    const auto part = said.as("{} functions; below 0 dip and rise again: {}");
    return part && titles::says((*part)[0], static_cast<double>(count)) &&
           titles::says((*part)[1], static_cast<double>(least.size()));
  }
  std::string rest = said.text;
  std::size_t dips = 0;
  for (std::size_t f = 0; f < count; ++f) {
    const std::size_t end = rest.find("; ");
    const titles::Said clause{said.study, said.settings, said.result, rest.substr(0, end)};
    rest = end == rest.npos ? "" : rest.substr(end + 2);
    const std::vector<double>& y = columns[1 + 2 * f].values;
    const double lowest = *std::ranges::min_element(y), leftmost = y.front();
    std::string name = columns[1 + 2 * f].name;
    if (name.starts_with("GELU, ")) name = "GELU's " + name.substr(6);
    if (clause.is(name + " never falls below 0")) {
      if (lowest < 0) return false;
    } else if (clause.is(name + " falls without end")) {
      if (!(leftmost < 0 && leftmost == lowest)) return false;
    } else if (const auto limit = clause.as("{} falls towards {}")) {
      if ((*limit)[0] != name || lowest < titles::number_of((*limit)[1]) - 0.0005) return false;
    } else if (const auto part = clause.as("{} dips to {}")) {
      if ((*part)[0] != name || dips == least.size() || !(least[dips] < 0)) return false;
      if (std::abs(titles::number_of((*part)[1]) - least[dips++]) > 0.0005) return false;
    } else {
      return false;
    }
  }
  return rest.empty() && dips == least.size();
}

const titles::Entries entries{{"activation/functions", says_the_left_side}};

}  // namespace
}  // namespace activation_functions_test
}  // namespace orrery::study
