// What plays: its way, its ends, its strip, its digits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/gui/player.h"
#include "app/gui/playing.h"
#include "app/gui/slider_scale.h"
#include "tests/app/gui/harness.h"
#include "tests/app/gui/sample_parameters.h"

namespace orrery::gui::motion_test {
namespace {

using parameter::Value;

TEST(MotionTest, GoesRoundBackAndForthOrOnce) {
  const auto path = [](Motion motion) {
    Player player;
    player.start(mix, Value(0.9));
    std::vector<double> values;
    for (int i = 0; i < 400 && !player.arrived(); ++i)
      values.push_back(number_of(player.advance(0.1, motion)));
    return values;
  };
  const auto round = path({.speed = 4});
  EXPECT_NE(std::ranges::find(round, -1.0), round.end());
  const auto turned = path({.speed = 4, .loop = Loop::back_and_forth});
  // By no more than a step of the way at once: a full way takes 30 seconds at the usual speed, rounded to a 5000th.
  for (std::size_t i = 1; i < turned.size(); ++i)
    EXPECT_LT(std::abs(turned[i] - turned[i - 1]), 2 * (0.4 / 30 + 4e-4));
  EXPECT_NE(std::ranges::find(turned, 1.0), turned.end());
  const auto once = path({.speed = 4, .loop = Loop::once});
  EXPECT_EQ(once.back(), 1);
  EXPECT_LT(once.size(), 400u);
}

// The same way in the same time, but in strides of a second.
TEST(MotionTest, ReducedGoesInStepsOfASecond) {
  Playing steady, stepping;
  steady.toggle(mix, Value(-1.0));
  stepping.toggle(mix, Value(-1.0));
  double last = -1, most_changes = 0;
  for (int frame = 1; frame <= 300; ++frame) {
    const double there = number_of(steady.advance(1.0 / 60, {}));
    const double now = number_of(stepping.advance(1.0 / 60, {}, true));
    if (now != last) ++most_changes;
    last = now;
    if (frame % 60 == 59) {
      EXPECT_LT(now, there) << frame;
    }
  }
  EXPECT_NEAR(most_changes, 5, 1);
  EXPECT_NEAR(last, number_of(steady.advance(0, {})), 2.0 / 30 + 1e-3);  // a second of the way: 2 in 30 s
}

TEST(MotionTest, NothingRunsOnOnceMotionIsReduced) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.toggle_play();
  ASSERT_NE(h.app.playing(), nullptr);
  h.app.reduce_motion(true);
  EXPECT_EQ(h.app.playing(), nullptr);
  EXPECT_TRUE(h.app.preferences.reduced_motion);
  h.app.toggle_play();  // asked for: it goes
  ASSERT_NE(h.app.playing(), nullptr);
}

TEST(MotionTest, StaysBetweenItsEnds) {
  Player player;
  player.start(base, Value(10.0));
  const Motion motion{.speed = 4, .from = 100, .to = 1000};
  double least = 1e9, most = 0;
  for (int i = 0; i < 6000; ++i) {
    const double x = number_of(player.advance(0.01, motion));
    least = std::min(least, x);
    most = std::max(most, x);
  }
  EXPECT_NEAR(least, 100, 1);
  EXPECT_NEAR(most, 1000, 20);  // a step before it: 4/3000 of log(1e6) is 1.9 %
}

TEST(MotionTest, AnyNumberCanBePlayedAndItsStripSaysHow) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  EXPECT_FALSE(h.ui.items.find("play:base"));  // only near the pointer
  h.move(h.item("label:base").centre());
  h.click("play:base");
  ASSERT_NE(h.app.playing(), nullptr);
  EXPECT_EQ(h.app.playing()->name, "base");
  h.click("speed:base=4×");
  h.click("loop:base");
  const Motion motion = h.app.motion(*h.app.moving());
  EXPECT_EQ(motion.speed, 4);
  EXPECT_EQ(motion.loop, Loop::back_and_forth);
  h.click("motion:base:to");
  h.frames(2);
  h.type("2^20");
  h.key(Key::enter);
  EXPECT_EQ(h.app.motion(*h.app.moving()).to, 1048576);
  h.click("motion-close:base");
  EXPECT_EQ(h.app.moving(), nullptr);
  EXPECT_EQ(h.app.playing(), nullptr);
}

TEST(MotionTest, TheDigitsOfWhatPlaysStandStill) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.app.change_text("position", "38.7");
  h.settle();
  const float resting = h.item("value:position").low.x;
  h.app.toggle_play();
  h.frames(2);
  const float low = h.item("value:position").low.x;
  EXPECT_LT(low, resting) << "38.700 is longer than 38.7";
  for (const char* value : {"38.7", "38.81", "40", "99.999"}) {
    h.app.change_text("position", value);
    h.app.toggle_play();
    h.frames(2);
    EXPECT_EQ(h.item("value:position").low.x, low) << value;
  }
}

TEST(MotionTest, WhatIsOpenedWhileItPlaysStandsAsItWasSaved) {
  Harness h;
  const study::Study& rotation = study::find("rope/rotation");
  h.app.start_with(rotation);
  h.settle();
  h.app.toggle_play();
  h.frames(5, 0.05);
  recipe::Recipe saved;
  saved.study = &rotation;
  saved.settings = parameter::Settings(rotation.parameters);
  saved.settings.set("position", parameter::Value(1234.5));
  h.app.open_recipe(saved, "Open");
  h.frames(1);
  h.settle();
  h.frames(5, 0.05);
  EXPECT_EQ(h.app.settings().real("position"), 1234.5);
  EXPECT_EQ(h.app.playing(), nullptr);
}

}  // namespace
}  // namespace orrery::gui::motion_test
