// Two results as one, and how a recipe says it.
#include "app/recipe/comparison.h"

#include <gtest/gtest.h>

#include <string>

#include "app/recipe/recipe.h"
#include "app/recipe/runner.h"
#include "app/study/changes.h"
#include "core/tensor/error.h"

namespace orrery::recipe::comparison_test {
namespace {

Outcome outcome(std::string_view id, const std::vector<std::pair<const char*, const char*>>& changes = {}) {
  const study::Study& study = study::find(id);
  parameter::Settings settings(study.parameters);
  for (const auto& [name, text] : changes) settings.set(name, std::string_view(text));
  return compute_now(study, settings, study::Run{});
}

TEST(Compare, SaysWhatIsASidesOwn) {
  const Outcome a = outcome("rope/rotation", {{"base", "10000"}}), b = outcome("rope/rotation");
  const figure::SideWords words = side_words(a, b);
  EXPECT_EQ(words.a_own, "Base = 10\u2009000");
  EXPECT_EQ(words.b_own, "Base = 500\u2009000");
  EXPECT_EQ(side_words(b, b).a_own, "");
  const auto differ = differing(a.settings, b.settings);
  ASSERT_EQ(differ.size(), 1u);
  EXPECT_EQ(differ[0]->name, "base");
}

TEST(Compare, AFileIsItsNameAndTheTensorsInIt) {
  constexpr parameter::Parameter file{.name = "file", .label = "File", .kind = parameter::Kind::file};
  const auto words = [&](const char* path) {
    parameter::Settings settings(std::span(&file, 1));
    settings.set("file", std::string_view(path));
    return value_text(file, settings);
  };
  EXPECT_EQ(words(""), "none");
  EXPECT_EQ(words("a/b/scores.npy"), "scores.npy");
  EXPECT_EQ(words("a/model.safetensors#layers.0/q"), "model.safetensors#layers.0/q");
  EXPECT_EQ(words("a/shards/#model.layers.0.q"), "shards#model.layers.0.q");
  EXPECT_EQ(words("a/shards/"), "shards");
}

TEST(Compare, ADollarSignThatWasTypedBeginsNoFormula) {
  const Outcome a = outcome("output/head", {{"words", "costs $5 and $6"}}), b = outcome("output/head");
  EXPECT_EQ(side_words(a, b).a_own, "Vocabulary = costs \\$5 and \\$6");
}

TEST(Compare, LeavesOutWhatNeitherSideReads) {
  // Without scaling nobody reads the factor.
  const Outcome a = outcome("rope/rotation", {{"factor", "2"}}), b = outcome("rope/rotation");
  EXPECT_TRUE(differing(a.settings, b.settings).empty());
}

TEST(Compare, NamesDevicesWhereTheyDiffer) {
  Outcome a = outcome("rope/rotation"), b = a;
  a.device = study::DeviceChoice::ref;
  EXPECT_EQ(side_words(a, b).a_own, "ref");
  EXPECT_EQ(side_words(a, b).b_own, "cpu");
}

TEST(Compare, RowsOfOtherWordsAreOtherRows) {
  Outcome a = outcome("rope/rotation"), b = a;
  const auto table = [](const char* first, const char* second) {
    return figure::Table{"models",
                         {{.name = "model", .values = {1, 2}, .words = {first, second}},
                          {.name = "norm", .values = {1, 2}, .words = {"LayerNorm", "RMSNorm"}},
                          {.name = "layers", .values = {12, 32}}}};
  };
  a.result.tables = b.result.tables = {table("GPT-2", "LLaMA 7B")};
  const auto same = compared(a, b, figure::CompareMode::overlay).result.tables;
  ASSERT_EQ(same.size(), 1u);
  ASSERT_EQ(same[0].columns.size(), 6u) << "words have no difference";
  EXPECT_EQ(same[0].columns[0].words.front(), "GPT-2");
  EXPECT_EQ(same[0].columns[2].name, "norm (B)");
  EXPECT_EQ(same[0].columns[5].values, (std::vector<double>{0, 0}));
  b.result.tables = {table("GPT-2", "Gemma 2B")};
  EXPECT_EQ(compared(a, b, figure::CompareMode::overlay).result.tables.size(), 2u);
}

TEST(Compare, TablesHoldBothSidesAndTheirDifference) {
  Outcome a = outcome("rope/rotation"), b = a;
  a.result.tables = {{"score", {{.name = "n", .values = {1, 2}}, {.name = "s", .values = {5, 7}}}},
                     {"longer", {{.name = "n", .values = {1}}}}};
  b.result.tables = {{"score", {{.name = "n", .values = {1, 2}}, {.name = "s", .values = {6, 4}}}},
                     {"longer", {{.name = "n", .values = {1, 2}}}}};
  const auto tables = compared(a, b, figure::CompareMode::overlay).result.tables;
  ASSERT_EQ(tables.size(), 3u);
  ASSERT_EQ(tables[0].columns.size(), 4u);
  EXPECT_EQ(tables[0].columns[1].name, "s (A)");
  EXPECT_EQ(tables[0].columns[3].values, (std::vector<double>{1, -3}));
  EXPECT_EQ(tables[1].name, "longer_a") << "rows differ: a table for each side";
  EXPECT_EQ(tables[2].name, "longer_b");
}

TEST(Compare, ChecksAreThoseOfBoth) {
  const Outcome a = outcome("rope/rotation");
  const Outcome both = compared(a, a, figure::CompareMode::side_by_side);
  ASSERT_EQ(both.result.checks.size(), 2 * a.result.checks.size());
  EXPECT_EQ(both.result.checks[0].statement, "A: " + a.result.checks[0].statement);
  EXPECT_EQ(both.result.figure.panels.size(), 2 * a.result.figure.panels.size());
}

/// Of a figure of two sides the recipe measures nothing again.
TEST(Compare, BothSidesKeepWhatWasMeasured) {
  Outcome a = outcome("norm/speed"), b = a;
  for (Outcome* side : {&a, &b}) side->settings.set("measure", std::string_view("on"));
  a.result.keeps = "measure=off results='of A'";
  b.result.keeps = "measure=off results='of B'";
  const Outcome both = compared(a, b, figure::CompareMode::side_by_side);
  ASSERT_TRUE(both.compare);
  EXPECT_EQ(both.compare->settings.text("results"), "of A");
  EXPECT_EQ(both.lasting_settings().text("results"), "of B");
  EXPECT_FALSE(both.compare->settings.toggle("measure") || both.lasting_settings().toggle("measure"));
  EXPECT_EQ(side_words(a, b).a_own + side_words(a, b).b_own, "") << "what was measured is no heading";
}

TEST(Compare, OtherStudiesStandSideBySide) {
  const Outcome a = outcome("activation/functions"), b = outcome("rope/rotation");
  const Outcome both = compared(a, b, figure::CompareMode::difference);
  EXPECT_EQ(both.result.figure.panels.size(), a.result.figure.panels.size() + b.result.figure.panels.size());
  ASSERT_EQ(both.remarks.size(), 1u);
  EXPECT_EQ(both.remarks[0], "A and B are different studies, and stand side by side");
}

TEST(Compare, AnErrorOfEitherSideIsTheError) {
  Outcome a = outcome("rope/rotation"), b = a;
  a.error = about("base").fault(name_phrase("too small"));
  EXPECT_EQ(english(compared(a, b, figure::CompareMode::overlay).error), "A: base: too small");
  b.error = Complaint().fault(name_phrase("no device"));
  EXPECT_EQ(english(compared(a, b, figure::CompareMode::overlay).error), "no device");
}

TEST(Compare, EveryStudyInEveryMode) {
  for (const study::Study* study : study::studies()) {
    SCOPED_TRACE(study->id);
    const Outcome b = outcome(study->id);
    Outcome a = b;
    if (!study->tries.empty()) {
      const std::string changes(study->tries[0].changes);
      a.settings = study::changed(b.settings, changes);
      a = compute_now(*study, a.settings, study::Run{});
    }
    for (const auto mode :
         {figure::CompareMode::side_by_side, figure::CompareMode::overlay, figure::CompareMode::difference}) {
      const Outcome both = compared(a, b, mode);
      EXPECT_EQ(english(both.error), "");
      EXPECT_FALSE(both.result.figure.panels.empty());
      for (const figure::Table& table : both.result.tables)
        for (const figure::Column& column : table.columns)
          EXPECT_EQ(column.values.size(), table.columns[0].values.size()) << table.name;
    }
  }
}

TEST(CompareRecipe, WhatIsNotSaidIsAsOnTheOtherSide) {
  const Recipe recipe = recipe_from_toml(R"(orrery = 1
study = "rope/rotation"
device = "ref"
[parameters]
position = 5.0
[compare]
mode = "overlay"
[compare.parameters]
base = 10000.0
)",
                                         "x");
  ASSERT_TRUE(recipe.compare);
  EXPECT_EQ(recipe.compare->mode, figure::CompareMode::overlay);
  EXPECT_EQ(recipe.compare->study, recipe.study);
  EXPECT_EQ(recipe.compare->device, study::DeviceChoice::ref);
  EXPECT_EQ(recipe.compare->settings.real("position"), 5);
  EXPECT_EQ(recipe.compare->settings.real("base"), 10000);
  EXPECT_EQ(recipe.settings.real("base"), 500000);
}

TEST(CompareRecipe, ReadsBackExactly) {
  for (const auto mode :
       {figure::CompareMode::side_by_side, figure::CompareMode::overlay, figure::CompareMode::difference})
    for (const char* other : {"rope/rotation", "activation/functions"}) {
      Recipe recipe;
      recipe.study = &study::find("rope/rotation");
      recipe.settings = parameter::Settings(recipe.study->parameters);
      recipe.compare = Compare{mode, &study::find(other), parameter::Settings(study::find(other).parameters),
                               study::DeviceChoice::gpu};
      const std::string text = to_toml(recipe);
      SCOPED_TRACE(text);
      const Recipe again = recipe_from_toml(text, "again.toml");
      ASSERT_TRUE(again.compare);
      EXPECT_EQ(again.compare->mode, mode);
      EXPECT_EQ(again.compare->study, recipe.compare->study);
      EXPECT_EQ(again.compare->settings, recipe.compare->settings);
      EXPECT_EQ(again.compare->device, study::DeviceChoice::gpu);
      EXPECT_EQ(to_toml(again), text);
    }
}

TEST(CompareRecipe, OneForAllFiguresOfAFile) {
  const auto all = recipes_from_toml(R"(orrery = 1
[compare]
mode = "difference"
device = "ref"
[[figure]]
study = "rope/rotation"
[figure.parameters]
base = 20000.0
[[figure]]
study = "activation/functions"
[figure.compare]
mode = "overlay"
)",
                                     "x");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].recipe.compare->settings.real("base"), 20000) << "as the figure has it";
  EXPECT_EQ(all[0].recipe.compare->device, study::DeviceChoice::ref);
  EXPECT_EQ(all[1].recipe.compare->mode, figure::CompareMode::overlay);
  EXPECT_EQ(all[1].recipe.compare->device, study::DeviceChoice::cpu);
}

TEST(CompareRecipe, ErrorsHaveTheirPlace) {
  const auto message = [](const std::string& compare) -> std::string {
    try {
      recipe_from_toml("orrery = 1\nstudy = \"rope/rotation\"\n" + compare, "x.toml");
    } catch (const Failure& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("[compare]\nmode = \"overlaid\"\n"),
            "x.toml:4:8: mode: found \"overlaid\" (did you mean 'overlay'?); allowed: side-by-side, overlay, "
            "difference");
  EXPECT_TRUE(message("[compare]\n").starts_with("x.toml:3:1: compare: the line 'mode"));
  EXPECT_TRUE(message("[compare]\nmode = \"overlay\"\nsettings = 3\n")
                  .starts_with("x.toml:5:1: 'settings' is not known"));
  EXPECT_TRUE(message("[compare]\nmode = \"overlay\"\nstudy = \"rope/none\"\n").starts_with("x.toml:5:9: "));
  EXPECT_TRUE(message("[compare]\nmode = \"overlay\"\n[compare.parameters]\nbase = -1.0\n")
                  .starts_with("x.toml:6:8: base"));
  EXPECT_TRUE(message("compare = 3\n").starts_with("x.toml:3:11: compare: found 3"));
}

}  // namespace
}  // namespace orrery::recipe::comparison_test
