// What a figure is of, in a line: the model, and the settings that are not the usual ones.
#include "app/recipe/subtitle.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "app/recipe/caption.h"

namespace orrery::recipe::subtitle_test {
namespace {

Recipe of(std::string_view study) {
  Recipe recipe;
  recipe.study = &study::find(study);
  recipe.settings = parameter::Settings(recipe.study->parameters);
  return recipe;
}

void set(Recipe& recipe, std::string_view name, std::string_view value) {
  recipe.settings.set(name, value);
}

TEST(Subtitle, NamesTheModelAndWhatIsUnusual) {
  Recipe recipe = of("rope/wavelengths");
  EXPECT_EQ(subtitle(recipe, "A title"), "Llama 3.1 8B");
  EXPECT_EQ(subtitle(recipe, "All about llama-3.1-8b"), "") << "the title says it already";
  EXPECT_EQ(subtitle(recipe, "What Llama 3.1 8B is made of"), "") << "as it is written, too";
  set(recipe, "model", "own");
  set(recipe, "base", "10000");
  EXPECT_EQ(subtitle(recipe, "A title"), "Base = 10\u2009000") << "\"own\" is no model's name";
  recipe.language = language::Language::zh;
  EXPECT_EQ(subtitle(recipe, "A title"), "底数 = 10\u2009000");
}

TEST(Subtitle, LeavesOutWhatIsOnlyDrawnAndWhatIsNotRead) {
  Recipe recipe = of("rope/rotation");
  set(recipe, "trail", "2");   // presentation
  set(recipe, "factor", "4");  // read by the rules for longer texts only
  EXPECT_EQ(subtitle(recipe, ""), "");
  set(recipe, "frequencies", "yarn");
  EXPECT_EQ(subtitle(recipe, ""), "Frequencies = YaRN \u00B7 Factor = 4");
}

TEST(Subtitle, LeavesWhatMovesAndWhatDiffersToTheirOwnWords) {
  Recipe recipe = of("rope/rotation");
  set(recipe, "base", "1000");
  set(recipe, "position", "5");
  EXPECT_EQ(subtitle(recipe, ""), "Position = 5 tokens \u00B7 Base = 1000");
  recipe.animation.emplace().parameter = "base";
  EXPECT_EQ(subtitle(recipe, ""), "Position = 5 tokens");
  recipe.animation.reset();
  recipe.compare.emplace();
  recipe.compare->study = recipe.study;
  recipe.compare->settings = recipe.settings;
  recipe.compare->settings.set("position", std::string_view("6"));
  EXPECT_EQ(subtitle(recipe, ""), "Base = 1000");
  const figure::Figure figure{.title = "It turns"};
  EXPECT_EQ(caption(recipe, figure).find("It turns (Base = 1000)."), 0u) << "headings say what A and B are";
  EXPECT_EQ(table_caption(recipe, figure, "by_pair")
                .find("By pair. It turns (A: Position = 6 \u00B7 B: Position = 5 \u00B7 Base = 1000)."),
            0u);
  recipe.compare->mode = figure::CompareMode::difference;  // it has no keys
  EXPECT_EQ(subtitle(recipe, ""), "A: Position = 6 \u00B7 B: Position = 5 \u00B7 Base = 1000");
}

TEST(Subtitle, LeavesOutTheModelThatATitleHasByItsWrittenName) {
  for (const char* study : {"model/card", "embedding/tying", "norm/cost", "attention/memory"}) {
    const Recipe recipe = of(study);
    const std::string title = recipe.study->compute(recipe.settings, study::Run{}).figure.title;
    EXPECT_EQ(subtitle(recipe, title), "") << study << ": " << title;
  }
}

TEST(Subtitle, ADollarSignThatWasTypedBeginsNoFormula) {
  Recipe recipe = of("output/head");
  set(recipe, "words", "costs $5 and $6");
  EXPECT_EQ(subtitle(recipe, ""), "Vocabulary = costs \\$5 and \\$6");
}

TEST(Subtitle, SaysNumbersAsFiguresDo) {
  Recipe recipe = of("norm/eps");
  set(recipe, "size", "1e-6");
  EXPECT_EQ(subtitle(recipe, ""), "Size = $10^{-6}$");
  set(recipe, "size", "2.5e-6");
  EXPECT_EQ(subtitle(recipe, ""), "Size = $2.5 \\times 10^{-6}$");
  recipe = of("rope/rotation");
  set(recipe, "base", "31622.8");
  EXPECT_EQ(subtitle(recipe, ""), "Base = 31\u2009622.8");
}

TEST(Subtitle, NothingTypedIsSeen) {
  Recipe recipe = of("embedding/lookup");
  set(recipe, "text", "");
  EXPECT_EQ(subtitle(recipe, ""), "Sentence = \u201C\u201D");
}

TEST(Subtitle, OneIsSingular) {
  Recipe recipe = of("rope/rotation");
  set(recipe, "position", "1");
  EXPECT_EQ(subtitle(recipe, ""), "Position = 1 token");
  recipe.language = language::Language::zh;
  EXPECT_TRUE(subtitle(recipe, "").ends_with(" = 1 词元")) << subtitle(recipe, "");
}

TEST(Subtitle, SaysAChoiceInTheLanguageOfThePage) {
  Recipe recipe = of("attention/masks");
  set(recipe, "filling", "right");
  EXPECT_EQ(subtitle(recipe, ""), "Filled = right");
  recipe.language = language::Language::zh;
  EXPECT_EQ(subtitle(recipe, ""), "填充位置 = 右侧");
}

// A unit that counts things has a word for one; a new one is to be said here, and what it is of one.
TEST(Subtitle, EveryUnitIsSaidOfOne) {
  const std::map<std::string_view, std::string_view> of_one{
      {"batches", "batch"},  {"bytes", "byte"},
      {"degrees", "degree"}, {"deviations", "deviation"},
      {"keys", "key"},       {"steps", "step"},
      {"tokens", "token"},   {"sequences", "sequence"},
      {"turns", "turn"},     {"%", "%"},
      {"rad", "rad"},        {"rad/token", "rad/token"},
      {"nat", "nat"},        {"ms", "ms"},
      {"KiB", "KiB"},        {"GiB", "GiB"},
      {"GB/s", "GB/s"},      {"Tflop/s", "Tflop/s"}};
  for (const study::Study* study : study::studies())
    for (const parameter::Parameter& p : study->parameters) {
      if (p.unit.empty()) continue;
      const auto known = of_one.find(p.unit);
      ASSERT_NE(known, of_one.end()) << study->id << ", " << p.name << ": " << p.unit;
      const language::Language english = language::Language::en;
      EXPECT_EQ(unit_behind("1", p.unit, english), " " + std::string(known->second));
      for (const char* other : {"0", "2", "0.1", "11", "-1"})
        EXPECT_EQ(unit_behind(other, p.unit, english), " " + std::string(p.unit)) << other;
      EXPECT_EQ(unit_behind("1", p.unit, language::Language::zh),
                unit_behind("2", p.unit, language::Language::zh));
    }
  EXPECT_EQ(unit_behind("1", "", language::Language::en), "");
}

}  // namespace
}  // namespace orrery::recipe::subtitle_test
