#include "app/recipe/animation.h"

#include <gtest/gtest.h>

#include "app/recipe/recipe.h"
#include "core/tensor/error.h"

namespace orrery::recipe::animation_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    const Animation a = parse_animation(text);
    validate(a, parameter::Settings(study::find("rope/rotation").parameters));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Animation, IsReadAsItIsTyped) {
  const Animation a = parse_animation("base=1000:1e6:log");
  EXPECT_EQ(a.parameter, "base");
  EXPECT_EQ(a.from, 1000);
  EXPECT_EQ(a.to, 1e6);
  EXPECT_TRUE(a.log);
  EXPECT_FALSE(parse_animation("position=-5:0.5").log);
}

TEST(Animation, RefusesInOneLine) {
  for (const char* text : {"", "base", "base=", "base=1", "base=1:", "base=:1", "=1:2", "base=1:2:lin",
                           "base=a:b", "base=1:inf"})
    EXPECT_NE(refusal(text).find("allowed: name=from:to"), std::string::npos)
        << text << ": " << refusal(text);
  EXPECT_NE(refusal("bsae=1000:2000").find("bsae"), std::string::npos);
  EXPECT_NE(refusal("pairing=0:1").find("an integer or a real parameter"), std::string::npos);
  EXPECT_NE(refusal("base=-1:1000").find("base"), std::string::npos);
  EXPECT_NE(refusal("head_width=2:1e300").find("head_width"), std::string::npos);
  EXPECT_NE(refusal("position=-1:10:log").find("position"), std::string::npos);
}

TEST(Animation, GoesInEqualStepsOrEqualRatios) {
  const parameter::Settings settings(study::find("rope/rotation").parameters);
  Animation a = parse_animation("base=1000:1000000:log");
  a.frames = 4;
  const auto ratios = frame_settings(a, settings);
  ASSERT_EQ(ratios.size(), 4u);
  EXPECT_EQ(ratios[0].real("base"), 1000);
  EXPECT_NEAR(ratios[1].real("base"), 1e4, 1e-8);  // two roundings of a number near 1e4
  EXPECT_EQ(ratios[3].real("base"), 1e6) << "the end is the one that was asked for";
  a.log = false;
  EXPECT_EQ(frame_settings(a, settings)[1].real("base"), 334000);
}

TEST(Animation, GoesThereAndBackInItsFrames) {
  const parameter::Settings settings(study::find("rope/rotation").parameters);
  Animation a = parse_animation("base=1000:5000");
  a.loop = Loop::back_and_forth;
  const auto path = [&](int frames) {
    a.frames = frames;
    std::vector<double> values;
    for (const parameter::Settings& frame : frame_settings(a, settings)) values.push_back(frame.real("base"));
    return values;
  };
  // The first is not shown twice: it follows the last.
  EXPECT_EQ(path(8), (std::vector<double>{1000, 2000, 3000, 4000, 5000, 4000, 3000, 2000}));
  EXPECT_EQ(path(2), (std::vector<double>{1000, 5000}));
  const std::vector<double> odd = path(5);  // one step more on the way back
  EXPECT_EQ(odd[1], 3000);
  EXPECT_EQ(odd[2], 5000);
  EXPECT_NEAR(odd[3], 5000 - 4000.0 / 3, 1e-9);
  EXPECT_NEAR(odd[4], 1000 + 4000.0 / 3, 1e-9);
  a.loop = Loop::once;
  EXPECT_EQ(path(5), (std::vector<double>{1000, 2000, 3000, 4000, 5000}));
}

TEST(Animation, ChecksTheFarEndOfAWayBack) {
  Animation a = parse_animation("base=1000:-1");
  a.loop = Loop::back_and_forth;
  EXPECT_THROW(validate(a, parameter::Settings(study::find("rope/rotation").parameters)), InvalidArgument);
}

TEST(Animation, WholeNumbersStayWholeAndMultiples) {
  const parameter::Settings settings(study::find("rope/rotation").parameters);
  Animation a = parse_animation("head_width=4:9");  // rounds to 4 … 10 in steps of 2
  a.frames = 8;
  for (const parameter::Settings& frame : frame_settings(a, settings))
    EXPECT_EQ(frame.integer("head_width") % 2, 0);
}

TEST(Animation, IsKeptInARecipe) {
  Recipe recipe;
  recipe.study = &study::find("rope/rotation");
  recipe.settings = parameter::Settings(recipe.study->parameters);
  recipe.animation = parse_animation("base=1000:1e6:log");
  recipe.animation->frames = 12;
  recipe.animation->fps = 12.5;
  recipe.animation->frame = 11;
  recipe.animation->loop = Loop::once;
  const std::string text = to_toml(recipe);
  EXPECT_EQ(recipe_from_toml(text, "a").animation, recipe.animation) << text;
}

}  // namespace
}  // namespace orrery::recipe::animation_test
