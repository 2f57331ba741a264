// The rules of context extension: which factor they take, and where their curves and names stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
