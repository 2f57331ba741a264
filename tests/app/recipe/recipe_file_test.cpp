// Many recipes in one file: what is written is what is read back, and every figure has a name that a file can have.
#include <gtest/gtest.h>

#include "app/recipe/recipe.h"
#include "core/tensor/error.h"
#include "tests/app/study/draw.h"
#include "tests/support/files.h"

namespace orrery::recipe::recipe_file_test {
namespace {

TEST(RecipeFile, ReadsBackExactly) {
  std::vector<NamedRecipe> figures;
  std::set<std::string> taken;
  for (const study::Study* study : study::studies())
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      NamedRecipe figure;
      figure.title = seed % 3 ? std::string(study->title) + ", \"" + std::to_string(seed) + "\"" : "";
      if (seed % 2) figure.name = file_name(figure.title, taken);
      Recipe& recipe = figure.recipe;
      recipe.study = study;
      recipe.settings = drawn(*study, seed);
      recipe.device = static_cast<study::DeviceChoice>(seed % 3);
      recipe.transparent = seed % 2 == 0;
      if (seed % 2) recipe.view.panels = {{figure::Range{0, 1.0 / 3}, std::nullopt}};
      if (seed % 3 == 1) recipe.view.hidden = {{0, 2}};
      if (seed % 3 == 2) recipe.own_title = "Own", recipe.title = true;
      figures.push_back(std::move(figure));
    }
  const std::string text = to_toml(figures);
  const std::vector<NamedRecipe> again = recipes_from_toml(text, "lecture.toml");
  ASSERT_EQ(again.size(), figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i) {
    EXPECT_EQ(again[i].name, figures[i].name);
    EXPECT_EQ(again[i].title, figures[i].title);
    // One recipe's own text says all of it, and is tested for itself.
    EXPECT_EQ(to_toml(again[i].recipe), to_toml(figures[i].recipe));
  }
  EXPECT_EQ(to_toml(again), text);
}

TEST(RecipeFile, NothingIsTakenFromAFigureToTheNext) {
  NamedRecipe first, second;
  first.recipe.study = second.recipe.study = &study::find("rope/rotation");
  first.recipe.settings = second.recipe.settings = parameter::Settings(first.recipe.study->parameters);
  first.recipe.transparent = true;
  first.recipe.font = "Some Font";
  first.recipe.view.hidden = {{0, 1}};
  const std::vector<NamedRecipe> figures{first, second};
  const auto again = recipes_from_toml(to_toml(figures), "a.toml");
  EXPECT_FALSE(again[1].recipe.transparent);
  EXPECT_EQ(again[1].recipe.font, "");
  EXPECT_TRUE(again[1].recipe.view.hidden.empty());
}

TEST(RecipeFile, ASlideAmongFiguresWithoutTitlesHasNone) {
  const std::string above = "orrery = 1\nstudy = \"norm/compare\"\n",
                    slide = "[[figure]]\n[figure.page]\nsize = \"slide\"\n";
  EXPECT_FALSE(recipes_from_toml(above + "[page]\ntitle = false\n" + slide, "a.toml").front().recipe.title);
  EXPECT_TRUE(recipes_from_toml(above + slide, "a.toml").front().recipe.title) << "nobody said";
}

TEST(RecipeFile, RefusesNamesThatNoFileCanHave) {
  NamedRecipe figure;
  figure.recipe.study = &study::find("rope/rotation");
  figure.recipe.settings = parameter::Settings(figure.recipe.study->parameters);
  for (const char* name : {"a/b", ".hidden", "a b", "a\nb"}) {
    figure.name = name;
    EXPECT_THROW(to_toml(std::span(&figure, 1)), InvalidArgument) << name;
  }
  figure.name = ".a";
  EXPECT_EQ(
      support::message_of<InvalidArgument>([&] { to_toml(std::span(&figure, 1)); }),
      "name: found \".a\"; allowed: 1 to 100 letters, digits, - _ and ., no dot or dash first, each name once");
  figure.name = "a_b-c.d";
  EXPECT_NE(to_toml(std::span(&figure, 1)).find("name = \"a_b-c.d\""), std::string::npos);
  figure.name = "a";
  EXPECT_THROW(to_toml(std::vector<NamedRecipe>{figure, figure}), InvalidArgument);
  EXPECT_THROW(to_toml(std::vector<NamedRecipe>{}), InvalidArgument);
}

TEST(RecipeFile, MakesNamesOfTitles) {
  std::set<std::string> taken;
  EXPECT_EQ(file_name("Rotation", taken), "Rotation");
  EXPECT_EQ(file_name("Rotation", taken), "Rotation-2");
  EXPECT_EQ(file_name("Small base, 小", taken), "Small-base-小");
  EXPECT_EQ(file_name("../etc/passwd", taken), "etc-passwd");
  EXPECT_EQ(file_name("$\\theta_i$: angles?", taken), "theta_i-angles");
  EXPECT_EQ(file_name("", taken), "figure");
  EXPECT_EQ(file_name("???", taken), "figure-2");
  const std::string longest = file_name(std::string(300, 'x'), taken);
  EXPECT_LE(longest.size(), 100u);
  std::string wide;
  for (int i = 0; i < 60; ++i) wide += "标";
  const std::string cut = file_name(wide, taken);
  EXPECT_LE(cut.size(), 100u);
  EXPECT_EQ(cut.size() % 3, 0u) << "no half of a character";
}

}  // namespace
}  // namespace orrery::recipe::recipe_file_test
