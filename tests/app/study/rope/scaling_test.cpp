// The rules of context extension: which factor they take, and where their curves and names stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "app/study/rope/rules.h"
#include "core/parameter/only_when.h"
#include "tests/app/study/ask.h"

namespace orrery::study::scaling_test {
namespace {

/// A model whose rule has a factor keeps it; the others take the one that is typed, and only these may ask for it.
TEST(RopeScaling, AFactorIsReadWhereTheModelHasNone) {
  for (const char* id : {"rope/scaling", "extrapolation/coverage", "extrapolation/scores"}) {
    const Study& study = find(id);
    const auto factor = std::ranges::find(study.parameters, "factor", &Parameter::name);
    ASSERT_NE(factor, study.parameters.end());
    for (const std::string_view model : parameter::choices_of(model_parameter)) {
      const auto taken = [&](const char* typed) {
        parameter::Settings settings(study.parameters);
        settings.set("model", model);
        settings.set("factor", std::string_view(typed));
        EXPECT_EQ(!parameter::unmet(*factor, settings), stretch_of(settings).factor == std::stod(typed))
            << id << " " << model << " " << typed;
      };
      taken("3");
      taken("63");
    }
  }
}

/// A check asks the chosen rule for what that rule promises: not all keep every pair between kept and divided by s.
TEST(RopeScaling, TheChosenRuleIsAskedForWhatItPromises) {
  struct Promise {
    const char *rule, *statement;
  };
  for (const Promise& each :
       {Promise{"linear", "linear (PI): every pair stays between kept and divided by 8"},
        {"ntk", "NTK: every pair stays between kept and divided by 8"},
        {"dynamic", "dynamic NTK, code: every pair stays between kept and divided by 57"},
        {"dynamic_paper", "dynamic NTK, paper: every pair stays between kept and divided by 8"},
        {"yarn", "YaRN, code: every pair stays between kept and divided by 8"},
        {"yarn_paper", "YaRN, paper: every pair stays between kept and divided by 8"},
        {"llama3", "Llama 3: every pair stays between kept and divided by 8"},
        {"proportional",
         "proportional: a quarter of the pairs, rounded down, is kept, the others stand still"},
        {"resonance",
         "resonance: every wavelength is a whole number of tokens, half a token from the unchanged one at "
         "most"}}) {
    SCOPED_TRACE(each.rule);
    const auto result = compute("rope/scaling", {{"rule", each.rule}});
    EXPECT_EQ(std::ranges::count(result.checks, each.statement, &Check::statement), 1);
    EXPECT_TRUE(all_hold(result));
  }
  const auto result = compute("rope/scaling", {});
  const auto ratio = [&](const char* rule, std::size_t pair) {
    return column_called(result, "frequencies", rule)[pair] /
           column_called(result, "frequencies", "unchanged")[pair];
  };
  EXPECT_NEAR(ratio("resonance", 0), 2 * std::numbers::pi / 6, 1e-15);  // faster than without a rule
  EXPECT_NEAR(ratio("dynamic NTK, code", 63), 1.0 / 57, 1e-15);
  EXPECT_EQ(ratio("proportional", 15), 1);
  EXPECT_EQ(ratio("proportional", 16), 0);
}

/// Narrow heads, large factors and bases: what the chosen rule promises holds there too.
TEST(RopeScaling, TheChosenRuleKeepsItsPromiseAtTheEnds) {
  for (const std::string_view rule : parameter::choices_of({.choices = stretched_rules}))
    for (const char* width : {"4", "6", "512"})
      for (const char* base : {"10", "1e9"})
        for (const char* factor : {"1", "1.003", "7.3", "64"}) {
          const auto result = compute("rope/scaling", {{"rule", std::string(rule).c_str()},
                                                       {"head_width", width},
                                                       {"base", base},
                                                       {"factor", factor}});
          EXPECT_TRUE(all_hold(result)) << rule << " " << width << " " << base << " " << factor;
        }
}

/// Of short trainings LongRoPE's factor is the larger one: each name stands on its own line's side, inside the plot.
TEST(RopeScaling, NamesStandAtTheirOwnLines) {
  for (const char* trained : {"16", "4096"}) {
    const auto result = compute("rope/scaling", {{"trained_length", trained},
                                                 {"head_width", "4"},
                                                 {"base", "10"},
                                                 {"factor", "1"},
                                                 {"show", "attention"}});
    const double yarn = column_called(result, "attention_factor", "YaRN").back(),
                 longrope = column_called(result, "attention_factor", "LongRoPE").back();
    EXPECT_EQ(yarn > longrope, std::string(trained) == "4096");
    const figure::Panel& panel = result.figure.panels.at(0);
    ASSERT_TRUE(panel.y.range);
    EXPECT_GT(panel.y.range->hi, std::max(yarn, longrope));
    int names = 0;
    for (const figure::Mark& mark : panel.marks)
      if (const auto* note = std::get_if<figure::Note>(&mark)) {
        const bool higher = (note->text == "YaRN") == (yarn > longrope);
        EXPECT_EQ(note->v, higher ? figure::VAlign::bottom : figure::VAlign::top) << note->text;
        ++names;
      }
    EXPECT_EQ(names, 2);
  }
}

}  // namespace
}  // namespace orrery::study::scaling_test
