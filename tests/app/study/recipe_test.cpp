#include "app/study/recipe.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/study/runner.h"
#include "core/tensor/error.h"
#include "tests/app/study/draw.h"

namespace orrery::study {
namespace {

void expect_same(const Recipe& a, const Recipe& b) {
  EXPECT_EQ(a.study, b.study);
  EXPECT_EQ(a.settings, b.settings) << described(a.settings) << "\n" << described(b.settings);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.theme, b.theme);
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.title, b.title);
}

TEST(Recipe, ReadsBackExactly) {
  for (const Study* study : studies())
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Recipe recipe;
      recipe.study = study;
      recipe.settings = drawn(*study, seed);
      recipe.device = static_cast<DeviceChoice>(seed % 3);
      recipe.theme = seed % 2 ? "dark" : "print";
      if (seed % 4) recipe.size = {100.0 / 3 + static_cast<double>(seed), 72.27 * 2.54};
      recipe.title = seed % 5 == 0;
      const std::string text = to_toml(recipe);
      SCOPED_TRACE(text);
      const Recipe again = recipe_from_toml(text, "again.toml");
      expect_same(recipe, again);
      EXPECT_EQ(to_toml(again), text);
    }
}

TEST(Recipe, WritesAllParametersInTheOrderOfTheirDeclaration) {
  const Study& study = find("rope/rotation");
  Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  EXPECT_EQ(to_toml(recipe), R"(orrery = 1
study = "rope/rotation"
device = "cpu"

[parameters]
position = 37.0
base = 500000.0
head_width = 64
pairing = "interleaved"
frequencies = "default"
factor = 8.0
trained_length = 8192
vector = [1.0, 0.0]
show = "all"

[page]
theme = "print"
title = false
)");
}

TEST(Recipe, LeavesOutWhatIsDefault) {
  const Recipe recipe = recipe_from_toml("orrery = 1\nstudy = \"rope/rotation\"\n", "short.toml");
  EXPECT_EQ(recipe.settings, parameter::Settings(recipe.study->parameters));
  EXPECT_EQ(recipe.theme, "print");
  EXPECT_EQ(recipe.size, figure::Size{});
}

TEST(Recipe, TakesWholeNumbersForRealParameters) {
  const Recipe recipe = recipe_from_toml(
      "orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nbase = 500\nvector = [0, 1.0]\n", "x");
  EXPECT_EQ(recipe.settings.real("base"), 500);
  EXPECT_EQ(recipe.settings.vector("vector"), (std::vector<double>{0, 1}));
}

struct Malformed {
  const char* text;
  const char* place;  // how the message begins
  const char* says;   // what it must contain
};

constexpr const char* head = "orrery = 1\nstudy = \"rope/rotation\"\n";

class MalformedRecipe : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedRecipe, SaysWhereAndWhatIsAllowed) {
  std::string text = GetParam().text;
  if (text.starts_with("…")) text = head + text.substr(std::string("…").size());
  try {
    recipe_from_toml(text, "a.toml");
    FAIL() << "was read";
  } catch (const Failure& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(GetParam().place)) << message;
    EXPECT_NE(message.find(GetParam().says), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedRecipe,
    testing::Values(
        Malformed{"", "a.toml:", "not a recipe"},
        Malformed{"study = \"rope/rotation\"\n", "a.toml:", "'orrery = 1'"},
        Malformed{"orrery = 2\nstudy = \"rope/rotation\"\n", "a.toml:1:10: ", "orrery: found 2; allowed: 1"},
        Malformed{"orrery = \"1\"\n", "a.toml:1:10: ", "orrery: found"},
        Malformed{"orrery = 1\n", "a.toml:", "study = \"topic/name\""},
        Malformed{"orrery = 1\nstudy = 3\n", "a.toml:2:9: ", "study: found 3"},
        Malformed{"orrery = 1\nstudy = \"rope/turning\"\n", "a.toml:2:9: ", "nearest: rope/rotation"},
        Malformed{"orrery = 1\nstudy = \n", "a.toml:2:", ""},
        Malformed{"orrery = 1\norrery = 1\n", "a.toml:2:", "orrery"}, Malformed{"\xff\xfe", "a.toml:1:", ""},
        Malformed{"…colour = 1\n",
                  "a.toml:3:1: ", "'colour' is not known here; known: orrery, study, device"},
        Malformed{"…device = \"tpu\"\n", "a.toml:3:10: ", "allowed: ref, cpu, gpu"},
        Malformed{"…device = 1\n", "a.toml:3:10: ", "allowed: ref, cpu, gpu"},
        Malformed{"…parameters = 1\n", "a.toml:3:14: ", "parameters: found 1; allowed: a table"},
        Malformed{"…[parameters]\nbses = 1\n",
                  "a.toml:4:1: ", "'bses' is not a parameter of this study; known: position, base"},
        Malformed{"…[parameters]\nbase = \"x\"\n", "a.toml:4:8: ", "base: found"},
        Malformed{"…[parameters]\nbase = -1.0\n", "a.toml:4:8: ", "base"},
        Malformed{"…[parameters]\nbase = nan\n", "a.toml:4:8: ", "base"},
        Malformed{"…[parameters]\nbase = inf\n", "a.toml:4:8: ", "base"},
        Malformed{"…[parameters]\nhead_width = 63\n", "a.toml:4:14: ", "multiple of 2"},
        Malformed{"…[parameters]\nhead_width = 64.0\n", "a.toml:4:14: ", "head_width: found"},
        Malformed{"…[parameters]\npairing = \"thirds\"\n", "a.toml:4:11: ", "interleaved"},
        Malformed{"…[parameters]\nvector = [1.0]\n", "a.toml:4:10: ", "vector"},
        Malformed{"…[parameters]\nvector = [1.0, \"a\"]\n", "a.toml:4:10: ", "vector: found"},
        Malformed{"…[parameters]\nvector = { x = 1 }\n", "a.toml:4:10: ", "vector: found"},
        Malformed{"…[page]\nwidth = 100\n", "a.toml:3:1: ", "width and height go together"},
        Malformed{"…[page]\nwidth = -1\nheight = 1\n", "a.toml:4:9: ", "more than 0"},
        Malformed{"…[page]\nwidth = 1e9\nheight = 1\n", "a.toml:4:9: ", "at most 14400"},
        Malformed{"…[page]\nwidth = nan\nheight = 1\n", "a.toml:4:9: ", "width"},
        Malformed{"…[page]\ntheme = \"neon\"\n", "a.toml:4:9: ", "dark, light, print"},
        Malformed{"…[page]\ntitle = \"yes\"\n", "a.toml:4:9: ", "true or false"},
        Malformed{"…[page]\nmargin = 1\n", "a.toml:4:1: ", "known: width, height, theme, title"}));

TEST(BuiltInRecipes, AreReadAndComputed) {
  ASSERT_GE(built_in_recipes_count, static_cast<int>(studies().size()));
  std::set<std::string_view> shown;
  for (int i = 0; i < built_in_recipes_count; ++i) {
    SCOPED_TRACE(built_in_recipes[i].name);
    const Recipe recipe = recipe_from_toml(built_in_recipes[i].text, built_in_recipes[i].name);
    shown.insert(recipe.study->id);
    EXPECT_GT(recipe.size.width, 0) << "a recipe says how large its figure is";
    const Outcome outcome = compute_now(*recipe.study, recipe.settings, study::Run{});
    EXPECT_EQ(outcome.error, "");
    for (const Check& check : outcome.result.checks) EXPECT_TRUE(check.holds()) << check.statement;
  }
  EXPECT_EQ(shown.size(), studies().size()) << "each study has a recipe";
}

}  // namespace
}  // namespace orrery::study
