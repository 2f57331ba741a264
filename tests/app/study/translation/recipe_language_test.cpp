#include <gtest/gtest.h>

#include "app/recipe/recipe.h"
#include "core/tensor/error.h"

namespace orrery::study::recipe_language_test {
namespace {

TEST(RecipeLanguage, IsWrittenAndReadBack) {
  recipe::Recipe recipe = recipe::recipe_from_toml(
      "orrery = 1\nstudy = \"rope/rotation\"\n[page]\nlanguage = \"zh\"\n", "r.toml");
  EXPECT_EQ(recipe.language, language::Language::zh);
  const std::string text = recipe::to_toml(recipe);
  EXPECT_NE(text.find("language = \"zh\"\n"), text.npos);
  EXPECT_EQ(recipe::recipe_from_toml(text, "r.toml").language, language::Language::zh);
}

TEST(RecipeLanguage, IsNotWrittenForEnglish) {
  const recipe::Recipe recipe = recipe::recipe_from_toml("orrery = 1\nstudy = \"rope/rotation\"\n", "r.toml");
  EXPECT_EQ(recipe.language, language::Language::en);
  EXPECT_EQ(recipe::to_toml(recipe).find("language"), std::string::npos);
}

TEST(RecipeLanguage, AnUnknownOneIsRefusedInOneLine) {
  try {
    recipe::recipe_from_toml("orrery = 1\nstudy = \"rope/rotation\"\n[page]\nlanguage = \"xx\"\n", "r.toml");
    FAIL();
  } catch (const Failure& error) {
    EXPECT_STREQ(error.what(), "r.toml:4:12: language: 'xx' is not spoken here; allowed: en, zh");
  }
}

}  // namespace
}  // namespace orrery::study::recipe_language_test
