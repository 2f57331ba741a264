// What a figure is of, in a line: the model, and the settings that are not the usual ones.
#include "app/recipe/subtitle.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(subtitle(recipe, "A title"), "llama-3.1-8b");
  EXPECT_EQ(subtitle(recipe, "All about llama-3.1-8b"), "") << "the title says it already";
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
  EXPECT_EQ(subtitle(recipe, ""), "Frequencies = yarn \u00B7 Factor = 4");
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
  recipe.compare->mode = figure::CompareMode::difference;  // it has no keys
  EXPECT_EQ(subtitle(recipe, ""), "A: Position = 6 \u00B7 B: Position = 5 \u00B7 Base = 1000");
}

}  // namespace
}  // namespace orrery::recipe::subtitle_test
