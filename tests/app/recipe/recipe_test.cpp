#include "app/recipe/recipe.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/recipe/runner.h"
#include "core/tensor/error.h"
#include "tests/app/study/draw.h"

namespace orrery::recipe::recipe_test {
namespace {

void expect_same(const Recipe& a, const Recipe& b) {
  EXPECT_EQ(a.study, b.study);
  EXPECT_EQ(a.settings, b.settings) << study::described(a.settings) << "\n" << study::described(b.settings);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.theme, b.theme);
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.own_title, b.own_title);
  EXPECT_EQ(a.dpi, b.dpi);
  EXPECT_EQ(a.transparent, b.transparent);
  EXPECT_EQ(a.svg_text, b.svg_text);
  EXPECT_EQ(a.font, b.font);
  EXPECT_EQ(a.math_font, b.math_font);
  const auto ranges_of = [](const Recipe& r) {
    auto panels = r.view.panels;
    while (!panels.empty() && !panels.back().x && !panels.back().y) panels.pop_back();
    return panels;
  };
  EXPECT_EQ(ranges_of(a), ranges_of(b));
  EXPECT_EQ(a.view.hidden, b.view.hidden);
}

TEST(Recipe, ReadsBackExactly) {
  for (const study::Study* study : study::studies())
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Recipe recipe;
      recipe.study = study;
      recipe.settings = drawn(*study, seed);
      recipe.device = static_cast<study::DeviceChoice>(seed % 3);
      recipe.theme = seed % 2 ? "dark" : "print";
      if (seed % 4) recipe.size = {100.0 / 3 + static_cast<double>(seed), 72.27 * 2.54};
      recipe.title = seed % 5 == 0;
      if (seed % 10 == 0) recipe.own_title = "What \"turns\", and how\tfast: $\\theta_i$";
      if (seed % 3 == 1) recipe.dpi = 96.5;
      recipe.transparent = seed % 7 == 0;
      recipe.svg_text = seed % 3 == 2;
      if (seed % 6 == 0) recipe.font = "TeX Gyre Pagella";
      if (seed % 6 == 0) recipe.math_font = "TeX Gyre Pagella Math";
      if (seed % 4 == 1) {
        recipe.view.panels = {{.log_y = true},
                              {.x = figure::Range{-1.0 / 3, 5e-7}, .log_x = false, .grid = true}};
        recipe.view.hidden = {{0, 2}, {3, 0}};
        recipe.view.panels.resize(4);
      }
      const std::string text = to_toml(recipe);
      SCOPED_TRACE(text);
      const Recipe again = recipe_from_toml(text, "again.toml");
      expect_same(recipe, again);
      EXPECT_EQ(to_toml(again), text);
    }
}

TEST(Recipe, WritesAllParametersInTheOrderOfTheirDeclaration) {
  const study::Study& study = study::find("rope/rotation");
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
trail = 6
pair = 8
clocks = "twelve"
plane = "vector"
show = "all"

[page]
theme = "print"
title = false
)");
}

TEST(Recipe, HoldsNoCodeThatXmlCannot) {
  Recipe recipe = recipe_from_toml("orrery = 1\nstudy = \"rope/rotation\"\n", "short.toml");
  recipe.title = true;
  recipe.own_title = "a\xEF\xBF\xBE\xEF\xBF\xBF z";
  const std::string text = to_toml(recipe);
  EXPECT_NE(text.find("title = \"a\\uFFFE\\uFFFF z\""), text.npos) << text;
  EXPECT_EQ(recipe_from_toml(text, "again.toml").own_title, recipe.own_title);
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

TEST(Recipe, TakesNumbersAsTheyAreTyped) {
  const auto settings_of = [](const std::string& line) {
    return recipe_from_toml("orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\n" + line, "x").settings;
  };
  EXPECT_EQ(settings_of("head_width = 128.0\n").integer("head_width"), 128);
  EXPECT_EQ(settings_of("head_width = \"2^7\"\n").integer("head_width"), 128);
  EXPECT_EQ(settings_of("base = \"2^10\"\n").real("base"), 1024);
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
        Malformed{"orrery = \"1\"\n", "a.toml:1:10: ", "orrery: \"1\" is a text; allowed: 1"},
        Malformed{"orrery = 1\n", "a.toml:", "study = \"topic/name\""},
        Malformed{"orrery = 1\nstudy = 3\n", "a.toml:2:9: ", "study: found 3"},
        Malformed{"orrery = 1\nstudy = \"rope/turning\"\n", "a.toml:2:9: ", "nearest: rope/"},
        Malformed{"orrery = 1\nstudy = \n", "a.toml:2:", ""},
        Malformed{"orrery = 1\norrery = 1\n", "a.toml:2:", "orrery"}, Malformed{"\xff\xfe", "a.toml:1:", ""},
        Malformed{"…colour = 1\n",
                  "a.toml:3:1: ", "'colour' is not known here; known: orrery, study, device"},
        Malformed{"…device = \"tpu\"\n", "a.toml:3:10: ", "allowed: ref, cpu, gpu"},
        Malformed{"…device = 1\n", "a.toml:3:10: ", "allowed: ref, cpu, gpu"},
        Malformed{"…parameters = 1\n", "a.toml:3:14: ", "parameters: found 1; allowed: a table"},
        Malformed{"…[parameters]\nbses = 1\n", "a.toml:4:1: ",
                  "'bses' is not a parameter of this study (did you mean 'base'?); known: position, base"},
        Malformed{"…[parameters]\nbase = \"x\"\n", "a.toml:4:8: ", "base: 'x' is not a number"},
        Malformed{"…[parameters]\nbase = \"2^\"\n", "a.toml:4:8: ", "base: '2^' is not a number"},
        Malformed{"…[parameters]\nbase = \"2^40\"\n", "a.toml:4:8: ", "allowed: a number from 10 to 1e9"},
        Malformed{"…[parameters]\nhead_width = \"2.5*5\"\n",
                  "a.toml:4:14: ", "head_width: '2.5*5' is not a whole number"},
        Malformed{"…[parameters]\nbase = -1.0\n", "a.toml:4:8: ", "base"},
        Malformed{"…[parameters]\nbase = nan\n", "a.toml:4:8: ", "base"},
        Malformed{"…[parameters]\nbase = inf\n", "a.toml:4:8: ", "base"},
        Malformed{"…[parameters]\nhead_width = 63\n", "a.toml:4:14: ", "multiple of 2"},
        Malformed{"…[parameters]\nhead_width = 64.5\n", "a.toml:4:14: ", "head_width: found"},
        Malformed{"…[parameters]\npairing = \"thirds\"\n", "a.toml:4:11: ", "interleaved"},
        Malformed{"…[parameters]\nvector = [1.0]\n", "a.toml:4:10: ", "vector"},
        Malformed{"…[parameters]\nvector = [1.0, \"a\"]\n", "a.toml:4:10: ", "vector: found"},
        Malformed{"…[parameters]\nvector = { x = 1 }\n", "a.toml:4:10: ", "vector: found"},
        Malformed{"…[page]\nwidth = 100\n", "a.toml:3:1: ", "width and height go together"},
        Malformed{"…[page]\nwidth = -1\nheight = 30\n", "a.toml:4:9: ", "from 20 to 14400"},
        Malformed{"…[page]\nwidth = 1e9\nheight = 30\n", "a.toml:4:9: ", "from 20 to 14400"},
        Malformed{"…[page]\nwidth = 300\nheight = 19\n", "a.toml:5:10: ", "from 20 to 14400"},
        Malformed{"…[page]\nwidth = nan\nheight = 30\n", "a.toml:4:9: ", "width"},
        Malformed{"…[page]\ntheme = \"neon\"\n", "a.toml:4:9: ", "print, light, dark"},
        Malformed{"…[page]\ntitle = 3\n", "a.toml:4:9: ", "true or false"},
        Malformed{"…[page]\nmargin = 1\n", "a.toml:4:1: ", "known: size, width, height, theme, title, dpi"},
        Malformed{"…[page]\nsize = \"12cm\"\n", "a.toml:4:8: ", "size: '12cm' is none; allowed are"},
        Malformed{"…[page]\nsize = \"colum\"\n", "a.toml:4:8: ", "column, two-columns, a4-text, slide"},
        Malformed{"…[page]\nsize = \"column\"\nwidth = 30\nheight = 30\n",
                  "a.toml:4:8: ", "give one of them"},
        Malformed{"…[page]\ndpi = 5\n", "a.toml:4:7: ", "dpi: found 5; allowed: a number from 10 to 2400"},
        Malformed{"…[page]\ndpi = nan\n", "a.toml:4:7: ", "dpi"},
        Malformed{"…[page]\nthem = \"dark\"\n", "a.toml:4:1: ", "did you mean 'theme'?"},
        Malformed{"…[page]\ntheme = \"drak\"\n", "a.toml:4:9: ", "did you mean 'dark'?"},
        Malformed{"…[parameters]\nbsae = 1\n", "a.toml:4:1: ", "did you mean 'base'?"},
        Malformed{"…[[view]]\nx = [0, 1]\n", "a.toml:3:", "panel = 1"},
        Malformed{"…[[view]]\npanel = 0\n", "a.toml:4:9: ", "from 1"},
        Malformed{"…[[view]]\npanel = 1\nx = [1, 0]\n", "a.toml:5:5: ", "[least, largest]"},
        Malformed{"…[animation]\nfrom = 1\nto = 2\n", "a.toml:3:1: ", "parameter"},
        Malformed{"…[animation]\nparameter = \"base\"\nfrom = 1\n", "a.toml:3:1: ", "'from' and 'to'"},
        Malformed{"…[animation]\nparameter = \"base\"\nfrom = 2\nto = 3\nloop = \"back\"\n",
                  "a.toml:7:8: loop", "back-and-forth"},
        Malformed{"…[animation]\nparameter = \"base\"\nfrom = 2\nto = 3\nframes = 1\n",
                  "a.toml:7:10: ", "from 2 to 2000"},
        Malformed{"orrery = 1\n[[figure]]\nname = \"a\"\n", "a.toml:2:", "study = \"topic/name\""},
        Malformed{"orrery = 1\n[[figure]]\nname = \"../a\"\nstudy = \"rope/rotation\"\n",
                  "a.toml:3:8: ", "letters, digits"},
        Malformed{"orrery = 1\n[parameters]\nbase = 1\n", "a.toml:2:1: ", "of which study?"}));

constexpr const char* lecture = R"(orrery = 1
[page]
size = "column"
theme = "light"
[[figure]]
name = "first"
study = "rope/rotation"
[figure.parameters]
base = 10000.0
[[figure]]
study = "norm/compare"
[figure.page]
theme = "dark"
)";

TEST(RecipeOfALecture, HoldsManyFiguresAndWhatTheyShare) {
  const std::vector<NamedRecipe> all = recipes_from_toml(lecture, "lecture.toml");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "first");
  EXPECT_EQ(all[0].recipe.settings.real("base"), 10000);
  EXPECT_EQ(all[0].recipe.theme, "light");
  EXPECT_EQ(all[1].name, "");
  EXPECT_EQ(all[1].recipe.study->id, "norm/compare");
  EXPECT_EQ(all[1].recipe.theme, "dark");
  EXPECT_EQ(all[1].recipe.size, all[0].recipe.size);
  EXPECT_NEAR(all[1].recipe.size.width, 85 / 25.4 * 72, 1e-12 * 85 * 3);
}

TEST(RecipeOfALecture, OneStudyMayBeSaidOnce) {
  const auto all = recipes_from_toml(
      "orrery = 1\nstudy = \"rope/rotation\"\n[parameters]\nposition = 5\n"
      "[[figure]]\n[figure.parameters]\nbase = 500\n[[figure]]\n",
      "a.toml");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].recipe.settings.real("base"), 500);
  EXPECT_EQ(all[1].recipe.settings.real("position"), 5);
}

TEST(RecipeOfALecture, IsNotOneRecipe) {
  try {
    recipe_from_toml(lecture, "lecture.toml");
    FAIL() << "was read";
  } catch (const Failure& error) {
    EXPECT_STREQ(error.what(),
                 "lecture.toml: found 2 figures; allowed here: one (orrery batch makes them all)");
  }
}

/// Names joined by dots are tables inside one another; half a million took the program down with them.
TEST(HostileRecipe, NestingIsRefusedHoweverItIsWritten) {
  std::string dots = "a", quoted = "\"!\"";
  for (int i = 0; i < 500'000; ++i) {
    dots += ".a";
    quoted += ".\"!\"";
  }
  for (const std::string& text :
       {dots + " = 1\n", "[" + dots + "]\n", "x = {" + dots + " = 1}\n", quoted + " = 1\n",
        "x = { a = \"\"\"\n\"\"\", " + quoted + " = 1 }\n", "x = {a = '#', " + dots + " = 1}\n"}) {
    try {
      recipes_from_toml(text, "a.toml");
      FAIL() << "was read";
    } catch (const Failure& error) {
      EXPECT_NE(std::string(error.what()).find("more than 17 parts"), std::string::npos) << error.what();
    }
  }
  const std::string brackets = "x = " + std::string(100'000, '[') + std::string(100'000, ']') + "\n";
  EXPECT_THROW(recipes_from_toml(brackets, "a.toml"), Failure);
}

TEST(HostileRecipe, ThreeThousandDamagedOnesAreReadOrRefusedWithAPlace) {
  const std::string whole = lecture;
  std::uint32_t seed = 7;
  const auto dice = [&](std::size_t n) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<std::size_t>(seed >> 8) % n;
  };
  int read = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (std::size_t blows = 1 + dice(4); blows > 0 && !text.empty(); --blows) {
      const std::size_t at = dice(text.size());
      switch (dice(4)) {
        case 0:
          text[at] = static_cast<char>(dice(256));
          break;
        case 1:
          text.erase(at, 1 + dice(20));
          break;
        case 2:
          text.insert(at, whole.substr(dice(whole.size()), 1 + dice(20)));
          break;
        default:
          text.insert(at, 1 + dice(3), "[]{}=.\"'#\n"[dice(10)]);
      }
    }
    try {
      recipes_from_toml(text, "a.toml");
      ++read;
    } catch (const Failure& error) {
      const std::string message = error.what();
      ASSERT_TRUE(message.starts_with("a.toml:")) << message;
      ASSERT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
  EXPECT_GT(read, 5);  // most blows leave no TOML; 17 of these seeds did
  EXPECT_LT(read, 2900);
}

TEST(BuiltInRecipes, AreReadAndComputed) {
  ASSERT_GE(built_in_recipes_count, static_cast<int>(study::studies().size()));
  std::set<std::string_view> shown;
  for (int i = 0; i < built_in_recipes_count; ++i) {
    SCOPED_TRACE(built_in_recipes[i].name);
    const Recipe recipe = recipe_from_toml(built_in_recipes[i].text, built_in_recipes[i].name);
    shown.insert(recipe.study->id);
    EXPECT_GT(recipe.size.width, 0) << "a recipe says how large its figure is";
    const Outcome outcome = compute_now(*recipe.study, recipe.settings, study::Run{});
    EXPECT_EQ(english(outcome.error), "");
    for (const study::Check& check : outcome.result.checks) EXPECT_TRUE(check.holds()) << check.statement;
  }
  EXPECT_EQ(shown.size(), study::studies().size()) << "each study has a recipe";
}

}  // namespace
}  // namespace orrery::recipe::recipe_test
