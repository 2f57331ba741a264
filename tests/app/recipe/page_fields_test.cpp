// The page and the motion, declared once: what an option says, what a recipe holds and what a command line says again are
// the same for every field, those that are still to come too.
#include "app/recipe/page_fields.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/figure/dpi.h"
#include "app/recipe/command.h"
#include "core/tensor/error.h"

namespace orrery::recipe::page_fields_test {
namespace {

Recipe plain() {
  Recipe recipe;
  recipe.study = &study::find("rope/rotation");
  recipe.settings = parameter::Settings(recipe.study->parameters);
  return recipe;
}

/// Something that is not the usual, as it is typed.
std::string unusual(const PageField& field) {
  struct {
    const PageField& field;
    std::string operator()(figure::Size Recipe::*) const { return "9cm×7cm"; }
    std::string operator()(bool Recipe::*) const { return "on"; }
    std::string operator()(double Recipe::*) const { return parameter::shortest(field.least + 0.5); }
    std::string operator()(language::Language Recipe::*) const { return "zh"; }
    std::string operator()(std::string Recipe::*text) const {
      if (field.names == nullptr) return "A \"Family\"";
      const std::string usual = Recipe().*text;
      return std::string(*std::ranges::find_if(field.names(), [&](auto name) { return name != usual; }));
    }
  } of{field};
  return std::visit(of, field.member);
}

TEST(PageFields, AnOptionIsInTheRecipeAndInTheCommand) {
  ASSERT_EQ(page_fields().size(), 9u);
  for (const PageField& field : page_fields()) {
    SCOPED_TRACE(field.key);
    Recipe recipe = plain();
    EXPECT_EQ(option_text(field, recipe), "");
    const std::string text = unusual(field);
    set_by_option(field, recipe, text);
    EXPECT_EQ(option_text(field, recipe), text);
    EXPECT_NE(to_toml(recipe), to_toml(plain()));
    EXPECT_NE(to_toml(recipe).find(std::string(field.key) + " = "), std::string::npos);
    const Recipe again = recipe_from_toml(to_toml(recipe), "again.toml");
    EXPECT_EQ(static_cast<const Page&>(again), static_cast<const Page&>(recipe));
    EXPECT_EQ(again.size, recipe.size);
    EXPECT_NE(command_of(recipe, "a.svg").line.find(" " + std::string(field.option)), std::string::npos);
  }
}

TEST(PageFields, ACommandLeavesOutWhatItsFileDoesNotShow) {
  Recipe recipe = plain();
  recipe.transparent = recipe.svg_text = true;
  const auto says = [&](const char* file, const char* option) {
    return command_of(recipe, file).line.find(option) != std::string::npos;
  };
  EXPECT_TRUE(says("a.svg", "--svg-text") && says("a.SVG", "--transparent"));
  EXPECT_TRUE(!says("a.pdf", "--svg-text") && says("a.pdf", "--transparent"));
  EXPECT_TRUE(!says("a.csv", "--svg-text") && !says("a.csv", "--transparent"));
}

TEST(PageFields, WhatAMotionSaysIsInTheRecipeAndInTheCommand) {
  ASSERT_EQ(motion_fields().size(), 3u);
  for (const MotionField& field : motion_fields()) {
    SCOPED_TRACE(field.key);
    Recipe recipe = plain();
    recipe.animation.emplace();
    recipe.animation->parameter = "position";
    recipe.animation->to = 5;
    EXPECT_EQ(option_text(field, *recipe.animation), "");
    const std::string text = field.most > 0 ? parameter::shortest(field.most) : "once";
    set_by_option(field, *recipe.animation, text);
    EXPECT_EQ(option_text(field, *recipe.animation), text);
    EXPECT_EQ(recipe_from_toml(to_toml(recipe), "again.toml").animation, recipe.animation);
    EXPECT_NE(command_of(recipe, "a.webp").line.find(std::string(field.option) + " " + text),
              std::string::npos);
    if (field.most == 0) continue;
    const std::string between = parameter::shortest(field.least + 0.5);
    if (std::holds_alternative<int Animation::*>(field.member))
      EXPECT_THROW(set_by_option(field, *recipe.animation, between), InvalidArgument);
    else
      EXPECT_NO_THROW(set_by_option(field, *recipe.animation, between));
    EXPECT_THROW(set_by_option(field, *recipe.animation, parameter::shortest(field.most + 1)),
                 InvalidArgument);
    EXPECT_THROW(set_by_option(field, *recipe.animation, parameter::shortest(field.least - 1)),
                 InvalidArgument);
  }
}

TEST(PageFields, ALimitIsTheSameWhereverItIsMet) {
  const auto dpi = std::ranges::find(page_fields(), "dpi", &PageField::key);
  const auto in_recipe = [](double value) {
    return recipe_from_toml(
               "orrery = 1\nstudy = \"rope/rotation\"\n[page]\ndpi = " + parameter::shortest(value) + "\n",
               "a.toml")
        .dpi;
  };
  Recipe recipe = plain();
  for (const double allowed : {figure::least_dpi, figure::most_dpi}) {
    EXPECT_EQ(in_recipe(allowed), allowed);
    EXPECT_NO_THROW(set_by_option(*dpi, recipe, parameter::shortest(allowed)));
  }
  for (const double beyond : {figure::least_dpi - 1, figure::most_dpi + 1}) {
    EXPECT_THROW(in_recipe(beyond), Failure);
    EXPECT_THROW(set_by_option(*dpi, recipe, parameter::shortest(beyond)), InvalidArgument);
  }
}

TEST(PageFields, ATitleOfOnesOwnStandsForOn) {
  Recipe recipe = plain();
  recipe.title = true;
  recipe.own_title = "Mine";
  const std::string text = to_toml(recipe);
  EXPECT_NE(text.find("title = \"Mine\"\n"), std::string::npos);
  EXPECT_EQ(recipe_from_toml(text, "a.toml").own_title, "Mine");
  EXPECT_FALSE(
      recipe_from_toml("orrery = 1\nstudy = \"rope/rotation\"\n[page]\ntitle = \"\"\n", "a.toml").title);
}

}  // namespace
}  // namespace orrery::recipe::page_fields_test
