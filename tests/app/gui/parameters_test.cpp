// What can be done to parameters beyond turning them: locks, presets, chance, motions, and greying what is not read.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "app/gui/chance.h"
#include "app/gui/player.h"
#include "app/gui/slider_scale.h"
#include "app/language/error.h"
#include "core/parameter/only_when.h"
#include "core/tensor/error.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::parameters_test {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using parameter::Value;

constexpr Parameter base{
    .name = "base", .kind = Kind::real, .fallback = "10", .min = 1, .max = 1e6, .travel = Travel::log};
constexpr Parameter length{.name = "length",
                           .kind = Kind::integer,
                           .fallback = "64",
                           .min = 2,
                           .max = 4096,
                           .travel = Travel::powers_of_two};
constexpr Parameter width{
    .name = "width", .kind = Kind::integer, .fallback = "4", .min = 2, .max = 64, .multiple = 2};
constexpr Parameter position{
    .name = "position", .kind = Kind::real, .fallback = "1", .min = 0, .max = 1000, .travel = Travel::log};
constexpr Parameter mix{.name = "mix", .kind = Kind::real, .fallback = "0", .min = -1, .max = 1};

double nudged_number(const Parameter& p, double from, int steps, bool coarse = false) {
  const Value now = p.kind == Kind::integer ? Value(static_cast<std::int64_t>(from)) : Value(from);
  return number_of(nudged(p, now, steps, coarse));
}

TEST(NudgeTest, NumbersGoByTheirSecondDigitOnALogWay) {
  EXPECT_EQ(nudged_number(base, 10, 1), 11);
  EXPECT_EQ(nudged_number(base, 10, -1), 9.9);
  EXPECT_EQ(nudged_number(base, 500000, 1), 510000);
  EXPECT_EQ(nudged_number(base, 123456, 1), 130000);  // to the next round one
  EXPECT_EQ(nudged_number(base, 123456, -1), 120000);
  EXPECT_EQ(nudged_number(base, 20, 1, true), 30);
  EXPECT_EQ(nudged_number(base, 1e6, 1), 1e6);
  EXPECT_EQ(nudged_number(base, 1, -5), 1);
}

TEST(NudgeTest, PowersOfTwoGoToTheNext) {
  EXPECT_EQ(nudged_number(length, 64, 1), 128);
  EXPECT_EQ(nudged_number(length, 64, -2), 16);
  EXPECT_EQ(nudged_number(length, 100, 1), 128);
  EXPECT_EQ(nudged_number(length, 100, -1), 64);
  EXPECT_EQ(nudged_number(length, 64, 1, true), 512);
  EXPECT_EQ(nudged_number(length, 4096, 1), 4096);
}

TEST(NudgeTest, WholeNumbersKeepTheirMultiple) {
  EXPECT_EQ(nudged_number(width, 4, 1), 6);
  EXPECT_EQ(nudged_number(width, 4, -3), 2);
  EXPECT_EQ(nudged_number(width, 4, 1, true), 20);
}

TEST(NudgeTest, AnEvenWayGoesByRoundHundredths) {
  EXPECT_EQ(nudged_number(mix, 0, 1), 0.02);
  EXPECT_EQ(nudged_number(mix, 0, 3), 0.06);
  EXPECT_EQ(nudged_number(mix, 0.013, 1), 0.02);
  EXPECT_EQ(nudged_number(mix, 0, 1, true), 0.2);
  EXPECT_EQ(nudged_number(mix, 0.99, 1), 1);
}

TEST(NudgeTest, ZeroIsReachedAndLeftOnALogWay) {
  double x = nudged_number(position, 0, 1);
  EXPECT_GT(x, 0);
  for (int i = 0; i < 200; ++i) x = nudged_number(position, x, -1);
  EXPECT_EQ(x, 0);
}

TEST(ChanceTest, ValuesAreAllowedAndTheSameForTheSameNumber) {
  for (const study::Study* s : study::studies()) {
    const Settings defaults(s->parameters);
    for (std::uint64_t number = 1; number <= 20; ++number) {
      const Settings drawn = by_chance(defaults, {}, number);  // throws where something is not allowed
      EXPECT_EQ(drawn, by_chance(defaults, {}, number));
      for (const Parameter& p : s->parameters) {
        SCOPED_TRACE(std::string(s->id) + " " + std::string(p.name));
        if (p.presentation || p.kind == Kind::file) {
          EXPECT_EQ(drawn.value(p.name), defaults.value(p.name));
        }
        if (p.travel == Travel::powers_of_two && p.kind == Kind::integer && !parameter::unmet(p, drawn)) {
          const auto n = static_cast<std::uint64_t>(drawn.integer(p.name));
          const bool end = drawn.integer(p.name) == static_cast<std::int64_t>(p.min) ||
                           drawn.integer(p.name) == static_cast<std::int64_t>(p.max);
          EXPECT_TRUE(end || (n & (n - 1)) == 0) << n;
        }
      }
    }
  }
}

TEST(ChanceTest, LogWaysAreEvenInTheirLogarithm) {
  static constexpr Parameter declared[] = {base};
  const Settings defaults{declared};
  int low = 0;
  for (std::uint64_t number = 0; number < 400; ++number)
    low += by_chance(defaults, {}, number).real("base") < 1000;
  // Half of six decades: 200 of 400, with a standard deviation of 10.
  EXPECT_NEAR(low, 200, 50);
}

TEST(ChanceTest, LockedOnesStay) {
  const study::Study& s = study::find("rope/rotation");
  Settings now(s.parameters);
  now.set("base", "1234");
  EXPECT_EQ(by_chance(now, {"base"}, 3).real("base"), 1234);
  EXPECT_NE(by_chance(now, {}, 3).real("base"), 1234);
}

TEST(ChanceTest, IsOneStepOfUndoAndAcceptedByTheStudy) {
  Harness h;
  // A study that refuses some of its settings: no function at all is nothing to draw.
  h.app.start_with(study::find("activation/functions"));
  h.settle();
  const Settings before = h.app.settings();
  for (int i = 0; i < 12; ++i) {
    h.key(Key{'R'}, true);
    h.settle();
    h.settle();
    EXPECT_EQ(english(h.app.error()), "") << i;
  }
  EXPECT_FALSE(h.app.settings() == before);
  while (h.app.undo()) continue;
  EXPECT_TRUE(h.app.settings() == before);
}

/// A study that takes only some of what its parameter allows, and counts how often it was asked.
constexpr Parameter picky[] = {
    {.name = "x", .label = "x", .kind = Kind::real, .fallback = "1", .min = 0, .max = 1}};
std::atomic<int> asked = 0;
template <double least>
study::StudyResult picky_compute(const Settings& settings, const study::Run&) {
  ++asked;
  if (settings.real("x") < least)
    throw InvalidArgument(
        about("x").found(settings.text("x")).allowed("at least {}", parameter::shortest(least)));
  study::StudyResult result;
  result.figure.panels.resize(1);
  return result;
}
template <double least>
constexpr study::Study picky_study{.id = "test/picky",
                                   .title = "Picky",
                                   .topic = "Test",
                                   .summary = "",
                                   .formula = "x",
                                   .about = "",
                                   .source = "",
                                   .parameters = picky,
                                   .tries = {},
                                   .compute = picky_compute<least>};

TEST(ChanceTest, IsThrownAgainUntilTheStudyTakesIt) {
  Harness h;
  h.app.start_with(picky_study<0.7>);
  h.settle();
  int tried = 0;
  for (int i = 0; i < 6; ++i) {
    asked = 0;
    h.app.randomise();
    for (int k = 0; k < 25; ++k) h.settle();
    EXPECT_EQ(english(h.app.error()), "");
    EXPECT_GE(h.app.settings().real("x"), 0.7);
    tried += asked;
  }
  EXPECT_GT(tried, 6);  // three in ten are taken: six throws in a row are so by one in a thousand
  while (h.app.undo()) continue;
  EXPECT_EQ(h.app.settings().real("x"), 1);
}

TEST(ChanceTest, AfterTwentyTriesAllIsAsItWas) {
  Harness h;
  h.app.start_with(picky_study<1.0>);
  h.settle();
  asked = 0;
  h.app.randomise();
  for (int k = 0; k < 30; ++k) h.settle();
  EXPECT_EQ(h.app.settings().real("x"), 1);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
  EXPECT_NE(h.app.notice().text.find("none of 20 draws"), std::string::npos) << h.app.notice().text;
  EXPECT_LE(asked, 21);  // and once more for what it was before
  EXPECT_EQ(english(h.app.error()), "");
}

TEST(ComplaintTest, OfTheStudyStandsBelowTheParameterThatItIsAbout) {
  Harness h;
  h.app.start_with(picky_study<0.7>);
  h.settle();
  EXPECT_TRUE(h.app.complaint(picky[0]).empty());
  h.app.change_text("x", "0.5");
  h.settle();
  EXPECT_EQ(english(h.app.error()), "x: found 0.5; allowed: at least 0.7");
  EXPECT_EQ(english(h.app.complaint(picky[0])), "found 0.5; allowed: at least 0.7")
      << "its name stands beside";
  h.item("complaint:x");
  constexpr Parameter other{.name = "y", .label = "y"};
  EXPECT_TRUE(h.app.complaint(other).empty());
  h.app.change_text("x", "0.9");
  h.settle();
  EXPECT_TRUE(h.app.complaint(picky[0]).empty());
}

TEST(ComplaintTest, OfChanceTellsTheLastOne) {
  Harness h;
  h.app.start_with(picky_study<1.0>);
  h.settle();
  h.app.randomise();
  for (int k = 0; k < 30; ++k) h.settle();
  const Complaint& said = h.app.notice().complaint;
  EXPECT_EQ(english(said), h.app.notice().text);
  EXPECT_EQ(english(said).find("by chance: none of 20 draws was accepted; the last said x: found 0."), 0u)
      << english(said);
  EXPECT_EQ(language::say_error(language::Language::zh, said)
                .find("随机取值：20 次取值都未被接受；最后一次的原因：x：实际为 0."),
            0u)
      << language::say_error(language::Language::zh, said);
}

TEST(LockTest, PresetsChanceTriesAndResetsLeaveItAlone) {
  Harness h;
  const study::Study& s = study::find("rope/rotation");
  h.app.start_with(s);
  h.settle();
  h.app.change_text("base", "777");
  h.frames();
  h.move(h.item("label:base").centre());
  h.click("lock:base");
  EXPECT_TRUE(h.app.locked(s.parameters[1]));
  h.app.reset_all();
  EXPECT_EQ(h.app.settings().real("base"), 777);
  h.app.apply(recipe::find_preset(s, "llama-3.1-8b"));
  EXPECT_EQ(h.app.settings().real("base"), 777);
  EXPECT_EQ(h.app.settings().integer("head_width"), 128);
  h.app.randomise();
  EXPECT_EQ(h.app.settings().real("base"), 777);
  h.app.try_out({"", "base=10000 head_width=32"});
  EXPECT_EQ(h.app.settings().real("base"), 777);
  EXPECT_EQ(h.app.settings().integer("head_width"), 32);
  h.click("lock:base");  // stands there without the pointer
  h.app.reset_all();
  EXPECT_TRUE(h.app.settings().is_default("base"));
}

TEST(ChangedDotTest, StandsBesideWhatIsNotDefaultAndGoesBack) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  EXPECT_FALSE(h.ui.items.find("changed:base"));
  EXPECT_FALSE(h.ui.items.find("reset-all"));
  h.app.change_text("base", "777");
  h.frames();
  h.item("reset-all");
  h.click("changed:base");
  EXPECT_TRUE(h.app.settings().is_default("base"));
}

TEST(GreyedTest, WhatAChoiceSwitchesOffIsPaleAndCannotBeTurned) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const ItemBox greyed = h.item("greyed:factor");
  const float below = h.item("label:trained_length").low.y;
  h.drag({greyed.low.x + 20, greyed.high.y - 8}, {greyed.high.x - 20, greyed.high.y - 8});
  EXPECT_TRUE(h.app.settings().is_default("factor"));
  h.app.change_text("frequencies", "yarn");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("greyed:factor"));
  h.item("parameter:factor");
  EXPECT_EQ(h.item("label:trained_length").low.y, below);  // nothing moves
}

TEST(GreyedTest, EveryRowIsAsHighAsItIsOtherwise) {
  Harness h;
  for (const study::Study* s : study::studies()) {
    h.app.open(*s);
    h.frames(2);
    for (const Parameter& p : s->parameters) {
      const auto condition = parameter::unmet(p, h.app.settings());
      if (!condition || condition->values.front().empty()) continue;
      const Parameter& last = s->parameters.back();
      const float end = h.item("label:" + std::string(last.name)).low.y;
      const std::string before = h.app.settings().text(condition->name);
      h.app.change_text(condition->name, std::string(condition->values.front()));
      h.frames(2);
      if (!h.ui.items.find("label:" + std::string(last.name))) continue;
      EXPECT_NEAR(h.item("label:" + std::string(last.name)).low.y, end, 0.5) << s->id << " " << p.name;
      h.app.change_text(condition->name, before);
      h.frames(2);
    }
  }
}

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

TEST(SliderTest, ShiftTurnsTenTimesAsFinely) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const ItemBox box = h.item("parameter:base");
  const float y = box.centre().y, middle = box.centre().x;
  h.drag({middle, y}, {middle + 60, y});
  const double far = std::log(h.app.settings().real("base"));
  h.app.undo();
  compat::feed_modifiers(false, true);
  h.drag({middle, y}, {middle + 60, y});
  compat::feed_modifiers(false, false);
  const double start = std::log(5e5), near = std::log(h.app.settings().real("base"));
  EXPECT_NE(near, start);
  // 60 of 292 pixels, a tenth of them, over log(1e8): 0.38; the click itself moves nothing.
  EXPECT_NEAR(near - start, 0.38, 0.1);
  EXPECT_GT(far, near);
}

TEST(SliderTest, TheWheelTurnsItWithCtrlAlone) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const ImVec2 at = h.item("parameter:base").centre();
  h.wheel(at, 1);
  EXPECT_EQ(h.app.settings().real("base"), 500000);
  compat::feed_modifiers(true, false);
  h.wheel(h.item("parameter:base").centre(), 1);
  compat::feed_modifiers(false, false);
  EXPECT_EQ(h.app.settings().real("base"), 510000);
}

TEST(VectorTest, OneComponentIsTypedByItself) {
  Harness h;
  h.app.start_with(study::find("position/sinusoidal"));
  h.settle();
  h.rest();
  const ImVec2 at = h.item("parameter:waves:1").centre();
  h.press_at(at);
  h.press_at(at);
  h.frames(2);
  h.item("field:waves:1");
  h.type("2*10+1");
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().text("waves"), "0,21,32,64");
  h.click("all:waves");
  h.frames(2);
  h.type("1,2");
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().text("waves"), "1,2");
}

}  // namespace
}  // namespace orrery::gui::parameters_test
