// The formula with its numbers put in: whoever types them gets the result, at every setting, and it is the study's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "app/study/changes.h"
#include "app/study/kit/worked.h"
#include "app/study/kit/worked_exact.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/draw.h"
#include "tests/app/study/name_in_tests.h"
#include "tests/support/tex_arithmetic.h"

namespace orrery::study::worked_test {
namespace {

using support::Statement;

/// Results that stand in no table or check, by the beginning of their names; those of every study first.
struct NoTable {
  std::string_view study, name;
};
constexpr NoTable without_table[] = {
    {"", "g_"},                         // on the way to a frequency
    {"rope/layout", "y_"},              // its tables hold scores of whole vectors
    {"rope/precision", "m\\theta"},     // the estimate beside the error
    {"extrapolation/decay", "\\max"},   // the mean stands there, not the sum times the step
    {"extrapolation/decay", "\\frac"},  // far out a row holds a stretch of distances
    {"extrapolation/coverage", "\\theta'"},
    {"extrapolation/coverage", "(n - 1)"},  // what lies past one turn is cut off there
    {"extrapolation/scores", "s("},         // a row holds a stretch of distances
    {"extrapolation/entropy", "\\ln n"},    // the estimate beside the entropy
    {"position/sinusoidal", "y_"},          // of its waves one is a sine or a cosine
    {"position/alibi", "-k_"},
    {"norm/geometry", "\\mu"},
    {"norm/geometry", "\\sigma^2"},
    {"activation/flow", "\\sigma_W"},
    {"activation/flow", "\\frac{\\mathrm{RMS}"},  // its tables hold both sizes
    {"rope/self-extend", "N"},
    {"extrapolation/rescue", "s"},          // on the way to a frequency
    {"extrapolation/rescue", "a"},          // likewise
    {"extrapolation/rescue", "\\theta'"},   // its table holds those of the chosen rule at one length
    {"extrapolation/train", "a"},           // of the words of one length; its tables hold each place
    {"norm/training", "P_N"},               // numbers of gains, beside which time stands there
    {"block/training", "\\eta_1"},          // the first of a warm-up
    {"block/training", "\\frac{|\\Delta"},  // the bound beside the steps
    {"figure/marks", "u("},
};

bool may_stand_alone(const Study& study, const Statement& s) {
  return std::ranges::any_of(without_table, [&](const NoTable& each) {
    return (each.study.empty() || each.study == study.id) && s.name.starts_with(each.name);
  });
}

/// In a table or a check, to the digits that are shown.
bool stands_in(const StudyResult& result, const Statement& s) {
  const auto shown = support::tex_number(s.result);
  if (!shown) return false;
  const double half = s.exact ? 1e-9 * std::abs(shown->value) : 0.5 * shown->unit * (1 + 1e-9);
  const auto is = [&](double x) { return std::abs(x - shown->value) <= half; };
  for (const figure::Table& table : result.tables)
    for (const figure::Column& column : table.columns)
      if (!column.of_words() && std::ranges::any_of(column.values, is))
        return true;  // of words: their number
  return std::ranges::any_of(result.checks, [&](const Check& c) { return is(c.value) || is(c.bound); });
}

StudyResult on(DeviceChoice device, const Study& study, const parameter::Settings& settings) {
  study::Run run;
  run.device = device;
  return study.compute(settings, run);
}

class EveryStudysWorked : public testing::TestWithParam<const Study*> {};

TEST_P(EveryStudysWorked, FormulaIsSoAndStandsInItsTables) {
  const Study& study = *GetParam();
  std::vector<parameter::Settings> all{parameter::Settings(study.parameters)};
  for (const Try& suggestion : study.tries) all.push_back(changed(all.front(), suggestion.changes));
  std::set<std::string_view> alone;  // those that no table holds somewhere
  for (const parameter::Settings& settings : all) {
    SCOPED_TRACE(described(settings));
    const StudyResult result = on(DeviceChoice::ref, study, settings);
    EXPECT_EQ(support::faults(result.worked), "") << result.worked;
    for (const Statement& s : support::statements(result.worked)) {
      const bool found = stands_in(result, s);
      EXPECT_TRUE(found || may_stand_alone(study, s)) << s.name << " = " << s.result << " stands in no table";
      for (const NoTable& each : without_table)
        if (!found && s.name.starts_with(each.name)) alone.insert(each.name);
    }
  }
  for (const NoTable& each : without_table)
    if (each.study == study.id) {
      EXPECT_TRUE(alone.contains(each.name)) << each.name << " stands in a table";
    }
}

TEST_P(EveryStudysWorked, FormulaIsSoAtRandomSettings) {
  const Study& study = *GetParam();
  int done = 0;
  for (std::uint64_t seed = 300; seed < 308; ++seed) {
    const parameter::Settings settings = drawn(study, seed);
    SCOPED_TRACE(described(settings));
    const auto result = within(quick, DeviceChoice::cpu, study, settings);
    if (!result) continue;
    ++done;
    if (study.id == "numerics/twins" && result->worked.empty()) continue;  // every number has overflown
    EXPECT_EQ(support::faults(result->worked), "") << result->worked;
  }
  EXPECT_GE(done, 4);
}

TEST_P(EveryStudysWorked, FormulaIsTheSameOnEveryDevice) {
  const Study& study = *GetParam();
  if (study.id == "numerics/twins") GTEST_SKIP() << "its result is the device's own";
  const parameter::Settings settings(study.parameters);
  EXPECT_EQ(on(DeviceChoice::cpu, study, settings).worked, on(DeviceChoice::ref, study, settings).worked);
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudysWorked, testing::ValuesIn(studies().begin(), studies().end()),
                         name_in_tests);

using worked::Term;
using worked::term;

std::string worked_out(const Term& expression, double result) {
  return Worked().add("y", expression, result).tex();
}

TEST(WorkedFormula, IsWrittenAsItIsRead) {
  const Term x = 1.5, less = -2.5;
  EXPECT_EQ(worked_out(power(term(10000), -term(2) / 4), 0.01), "y = 10000^{-2/4} = 0.01");
  EXPECT_EQ(worked_out(x * less, -3.75), "y = 1.5 \\cdot (-2.5) = -3.75");
  EXPECT_EQ(worked_out(less * x, -3.75), "y = -2.5 \\cdot 1.5 = -3.75");
  EXPECT_EQ(worked_out(x + less, -1), "y = 1.5 - 2.5 = -1");
  EXPECT_EQ(worked_out(x - less, 4), "y = 1.5 - (-2.5) = 4");
  EXPECT_EQ(worked_out(x - (x + less), 2.5), "y = 1.5 - (1.5 - 2.5) = 2.5");
  EXPECT_EQ(worked_out((x + less) * x, -1.5), "y = (1.5 - 2.5) \\cdot 1.5 = -1.5");
  EXPECT_EQ(worked_out(power(less, 2), 6.25), "y = (-2.5)^{2} = 6.25");
  EXPECT_EQ(worked_out(x / (x * less), -0.4), "y = 1.5/(1.5 \\cdot (-2.5)) = -0.4");
  EXPECT_EQ(worked_out(frac(1, x), 2 / 3.0), "y = \\frac{1}{1.5} \\approx 0.6667");
  EXPECT_EQ(worked_out(abs(frac(less, 2)), 1.25), "y = \\left|\\frac{-2.5}{2}\\right| = 1.25");
  EXPECT_EQ(worked_out(term(1.2e-5) * 2, 2.4e-5), "y = 1.2 \\cdot 10^{-5} \\cdot 2 = 2.4 \\cdot 10^{-5}");
  EXPECT_EQ(worked_out(worked::two_pi() * x, 3 * std::numbers::pi), "y = 2\\pi \\cdot 1.5 \\approx 9.425");
  EXPECT_EQ(worked::subscripted("\\theta", 8), "\\theta_8");
  EXPECT_EQ(worked::subscripted("R", -17), "R_{-17}");
}

TEST(WorkedFormula, PutsInAsManyDigitsAsTheResultNeeds) {
  const double angle = 131071.123456789;
  const std::string far = worked_out(cos(term(angle)), std::cos(angle));
  EXPECT_EQ(support::faults(far), "") << far;
  EXPECT_NE(far.find("131071.12"), std::string::npos) << far;
  const std::string near = worked_out(term(1.23456789012) - 1.23456, 1.23456789012 - 1.23456);
  EXPECT_EQ(support::faults(near), "") << near;
  EXPECT_EQ(worked_out(sqrt(term(2.0000000001)), std::sqrt(2.0000000001)), "y = \\sqrt{2} \\approx 1.414");
}

TEST(WorkedFormula, ShowsNoDigitThatIsNotRight) {
  // 5.6e-17 in double is the rounding of what cancels.
  EXPECT_EQ(worked_out(term(0.1) + 0.2 - 0.3, 0.1 + 0.2 - 0.3), "y = 0.1 + 0.2 - 0.3 \\approx 0");
  // With six digits a reader would come to 0.14144964, and round to 0.1414.
  EXPECT_EQ(worked_out(term(0.1000204) * sqrt(term(2)), 0.1000204 * std::sqrt(2)),
            "y = 0.1000204 \\cdot \\sqrt{2} \\approx 0.1415");
  // What the expression does not lead to is not shown: here the third digit.
  EXPECT_EQ(worked_out(term(1.234), 1.239), "y = 1.234 \\approx 1.2");
  EXPECT_EQ(worked_out(term(1), std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(worked_out(abs(term(std::numeric_limits<double>::infinity()) - 1), 0), "");
}

TEST(WorkedFormula, OfManyTermsWritesTwo) {
  const std::vector<Term> terms{1.5, 2.5, -3, 4};
  EXPECT_EQ(worked_out(worked::sum(terms), 5), "y = 1.5 + 2.5 + 1 = 5");
  EXPECT_EQ(worked_out(worked::sum(std::span(terms).first(3)), 1), "y = 1.5 + 2.5 - 3 = 1");
}

// What double does not tell from its neighbour is near it, and = is for what is so.
TEST(WorkedFormula, SaysEqualOnlyWhereExactArithmeticDoes) {
  EXPECT_EQ(worked_out(frac(10000, sqrt(worked::power(10000, 2) + 1e-12)), 1),
            "y = \\frac{10000}{\\sqrt{10000^{2} + 10^{-12}}} \\approx 1.000");
  EXPECT_EQ(worked_out(tanh(term(-20)), std::tanh(-20)), "y = \\tanh(-20) \\approx -1.000");
  EXPECT_EQ(worked_out(cos(term(3e-9)), 1), "y = \\cos(3 \\cdot 10^{-9}) \\approx 1.000");
  EXPECT_EQ(worked_out(frac(20, term(1) + exp(term(-1.702) * 20)), 20),
            "y = \\frac{20}{1 + e^{-1.702 \\cdot 20}} \\approx 20.00");
  EXPECT_EQ(worked_out(term(1) + 1e-20, 1), "y = 1 + 10^{-20} \\approx 1.000");
  const std::vector<Term> swallowed{1, 2, 4, 1e-20};
  EXPECT_EQ(worked_out(worked::sum(swallowed), 7), "y = 1 + 2 + 4 \\approx 7.000");
  EXPECT_EQ(worked_out(sqrt(term(2.25)), 1.5), "y = \\sqrt{2.25} = 1.5");
  EXPECT_EQ(worked_out(exp(term(0)) + cos(term(0)), 2), "y = e^{0} + \\cos(0) = 2");
  EXPECT_EQ(worked_out(tanh(term(0)), 0), "y = \\tanh(0) = 0");
  EXPECT_EQ(worked_out(power(term(4096), -term(5) / 6), std::pow(2, -10)), "y = 4096^{-5/6} = 0.0009765625");
  EXPECT_EQ(worked_out(frac(worked::min(worked::two_pi(), 7), worked::two_pi()), 1),
            "y = \\frac{\\min(2\\pi, 7)}{2\\pi} = 1");
}

TEST(WorkedFormula, SaysEqualInNoStudyWhereDoublesOnlyMeet) {
  const auto is_near = [](std::string_view id, Changes changes, const std::string& expression,
                          const std::string& shown) {
    const std::string worked = compute(id, changes).worked;
    EXPECT_NE(worked.find(expression + " \\approx " + shown), worked.npos) << worked;
  };
  is_near("norm/eps", {{"size", "10000"}, {"eps", "1e-12"}}, "\\frac{10000}{\\sqrt{10000^{2} + 10^{-12}}}",
          "1.000");
  is_near("activation/functions", {{"group", "bounded"}, {"points", "-20"}}, "\\tanh(-20)", "-1.000");
  is_near("activation/approximations", {{"point", "20"}, {"format", "f32"}, {"range", "20"}},
          "\\frac{20}{1 + e^{-1.702 \\cdot 20}}", "20.00");
}

TEST(ExactValue, IsThatOfTheTextThatStandsThere) {
  const auto comes_to = [](std::string_view tex, std::string_view other) {
    return equal(worked::amount_of(tex).exact, worked::amount_of(other).exact);
  };
  EXPECT_TRUE(comes_to("\\frac{0.1 + 0.2}{3}", "10^{-1}"));
  EXPECT_TRUE(comes_to("-(1.5 - 2) \\cdot (-3)/6", "-0.25"));
  EXPECT_TRUE(comes_to("10000^{-2/4}", "0.01"));
  EXPECT_TRUE(comes_to("\\left|\\frac{-5}{2}\\right| \\cdot 2^{3}", "20"));
  EXPECT_TRUE(comes_to("\\left\\lfloor \\sqrt{2} \\right\\rfloor", "1"));
  EXPECT_TRUE(comes_to("\\max(0, -\\sqrt{2})", "0"));
  EXPECT_TRUE(comes_to("0 \\cdot e^{3}", "0"));
  EXPECT_TRUE(comes_to("\\cos(2\\pi/2 \\cdot 3)", "-1"));
  EXPECT_TRUE(comes_to("\\sin(\\pi/2) + \\cos(\\pi/3)", "1.5"));
  EXPECT_TRUE(comes_to("\\frac{e^{0.5}}{e^{0.5}}", "1"));
  for (const char* unknown :
       {"\\sqrt{2}", "2\\pi", "e^{1}", "\\cos(1)", "10^{50}", "1 + \\dots", "x", "", "1/0",
        "\\max(10^{16} + 1, 10^{16})", "|10^{16} - (10^{16} + 1)|", "-2^{126} \\cdot 2"})
    EXPECT_FALSE(worked::amount_of(unknown).exact.known()) << unknown;
  EXPECT_NEAR(worked::amount_of("3\\sqrt{2} + \\tanh(1)").about, 3 * std::sqrt(2) + std::tanh(1), 1e-14);
}

// A place in a text is a whole number of many digits, and none of them is little.
TEST(WorkedFormula, PlacesHaveAllTheirDigits) {
  EXPECT_EQ(worked::subscripted("c", 10485767, 0), "c_{10485767,0}");
  EXPECT_EQ(worked::number_tex(999999999, 17), "999999999");
  EXPECT_EQ(worked::number_tex(1e9, 17), "10^{9}");
  EXPECT_EQ(worked::number_tex(123456789, 3), "1.23 \\cdot 10^{8}") << "three digits are asked for";
  const std::string angles = compute("rope/angles", {{"first", "10485760"}, {"shown", "8"}}).worked;
  EXPECT_NE(angles.find("1048576"), angles.npos) << angles;
  EXPECT_EQ(angles.find("_{1.0485"), angles.npos) << angles;
}

}  // namespace
}  // namespace orrery::study::worked_test
