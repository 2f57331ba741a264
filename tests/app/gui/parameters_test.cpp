// What can be done to parameters beyond turning them: steps by key, locks, presets, and greying what is not read.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "app/gui/greyed.h"
#include "app/gui/number_text.h"
#include "app/gui/slider_scale.h"
#include "core/parameter/only_when.h"
#include "tests/app/gui/harness.h"
#include "tests/app/gui/picky_study.h"
#include "tests/app/gui/sample_parameters.h"

namespace orrery::gui::parameters_test {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using parameter::Value;

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

/// What matrices take more than the one line that each has while it is not read.
float further_lines(const App& app) {
  float lines = 0;
  for (const Parameter& p : app.study().parameters)
    if (p.kind == Kind::matrix && !parameter::unmet(p, app.settings()))
      lines += static_cast<float>(shown_rows(app.settings().matrix(p.name)) - 1);
  return 28 * lines;
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
      const float end = h.item("label:" + std::string(last.name)).low.y - further_lines(h.app);
      const std::string before = h.app.settings().text(condition->name);
      h.app.change_text(condition->name, std::string(condition->values.front()));
      h.frames(2);
      if (!h.ui.items.find("label:" + std::string(last.name))) continue;
      EXPECT_NEAR(h.item("label:" + std::string(last.name)).low.y - further_lines(h.app), end, 0.5)
          << s->id << " " << p.name;
      h.app.change_text(condition->name, before);
      h.frames(2);
    }
  }
}

TEST(GreyedTest, AMatrixHasOneLineWhileItIsNotRead) {
  Harness h;
  h.app.start_with(study::find("ffn/steps"));
  h.settle();
  const ItemBox box = h.item("greyed:w3");
  EXPECT_NEAR(box.high.y - box.low.y, 20 + 32, 0.01);
  h.item("parameter:w1:4");  // one that is read has all its rows
}

TEST(VectorTest, StandsBesideItsLabelWhereItCanBeReadThere) {
  for (const ImVec2 size : {ImVec2(1600, 2400), ImVec2(900, 600)}) {
    Harness h(size);
    h.app.start_with(study::find("position/dot-product"));
    h.settle();
    for (const char* text : {"0,1,2", "0,100,5000", "1,12,65536"}) {
      h.app.change_text("places", text);
      h.settle();
      const std::vector<double>& places = h.app.settings().vector("places");
      for (std::size_t i = 0; i < places.size(); ++i) {
        const ItemBox field = h.item("parameter:places:" + std::to_string(i));
        // Five digits side by side, three times, in the narrowest pane: smaller, and whole.
        const float width = field.high.x - field.low.x;
        const std::string shown = number_text(places[i], 4);
        EXPECT_TRUE(width >= h.ui.faces.numbers.width(shown) + 12 ||
                    (size.x < 1000 && width >= h.ui.faces.small_numbers.width(shown) + 8))
            << text << " at " << size.x;
      }
      const bool beside = h.item("parameter:places:0").low.y < h.item("label:places").high.y;
      EXPECT_TRUE(beside || std::string_view(text) != "0,1,2") << size.x;
    }
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
