// Sliders, numbers as words, colours, history: the small rules of the window.
#include <gtest/gtest.h>

#include <cmath>

#include "app/figure/contrast.h"
#include "app/gui/history.h"
#include "app/gui/number_text.h"
#include "app/gui/player.h"
#include "app/gui/slider_scale.h"
#include "app/gui/style.h"
#include "app/study/study.h"

namespace orrery::gui::values_test {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Travel;

constexpr Parameter linear{.name = "a", .kind = Kind::real, .fallback = "0", .min = -1, .max = 3};
constexpr Parameter logarithmic{
    .name = "b", .kind = Kind::real, .fallback = "10", .min = 1, .max = 10000, .travel = Travel::log};
constexpr Parameter from_zero{
    .name = "c", .kind = Kind::real, .fallback = "1", .min = 0, .max = 100, .travel = Travel::log};
constexpr Parameter powers{.name = "d",
                           .kind = Kind::integer,
                           .fallback = "64",
                           .min = 4,
                           .max = 256,
                           .travel = Travel::powers_of_two,
                           .multiple = 2};
constexpr Parameter even{
    .name = "e", .kind = Kind::integer, .fallback = "4", .min = 2, .max = 9, .multiple = 2};
constexpr Parameter unbounded{.name = "f", .kind = Kind::real, .fallback = "5"};

TEST(SliderTest, ThereAndBackIsTheSamePlace) {
  for (const Parameter& p : {linear, logarithmic, from_zero, unbounded})
    for (double f = 0; f <= 1; f += 0.05)
      // A value is rounded to what the eye can tell apart: 1/500 of the way, or two digits,
      // log(1.02)/log(1e4) of it.
      EXPECT_NEAR(slider_fraction(p, slider_value(p, f)), f, 0.012) << p.name << " at " << f;
}

TEST(SliderTest, EndsAreExact) {
  for (const Parameter& p : {linear, logarithmic, from_zero, powers}) {
    EXPECT_EQ(slider_value(p, 0), p.min) << p.name;
    EXPECT_EQ(slider_value(p, 1), p.max) << p.name;
  }
}

TEST(SliderTest, ALongRangeFromZeroGivesItsRoomToWholeValues) {
  constexpr Parameter position{
      .name = "p", .kind = Kind::real, .fallback = "37", .min = 0, .max = 131072, .travel = Travel::log};
  // A token apart from the next one near the beginning, and half of the way for what is far.
  EXPECT_GT(slider_fraction(position, 1), 0.03);
  EXPECT_LT(slider_fraction(position, 1), 0.15);
  EXPECT_GT(slider_fraction(position, 37), 0.25);
  EXPECT_LT(slider_fraction(position, 37), 0.45);
  EXPECT_EQ(slider_value(position, 0), 0);
}

TEST(SliderTest, WholeNumbersKeepTheirMultiple) {
  for (double f = 0; f <= 1; f += 0.01) {
    const double v = slider_value(even, f);
    EXPECT_EQ(std::fmod(v, 2), 0) << v;
    EXPECT_GE(v, 2);
    EXPECT_LE(v, 8);  // 9 is allowed by the range and by no multiple
    const double power = slider_value(powers, f);
    EXPECT_EQ(std::exp2(std::round(std::log2(power))), power);
  }
}

TEST(SliderTest, EveryValueOfASliderIsAllowed) {
  for (const study::Study* s : study::studies())
    for (const Parameter& p : s->parameters) {
      if (p.kind != Kind::integer && p.kind != Kind::real) continue;
      for (double f = 0; f <= 1; f += 0.02)
        EXPECT_NO_THROW(parameter::validate(p, nearest_allowed(p, slider_value(p, f))))
            << s->id << " " << p.name;
    }
}

TEST(PlayerTest, RunsToTheEndAndBeginsAgain) {
  Player player;
  player.start(even, std::int64_t{8});
  bool began_again = false;
  for (int i = 0; i < 2000 && !began_again; ++i) {
    const auto v = std::get<std::int64_t>(player.advance(0.1, {}));
    ASSERT_GE(v, 2);
    ASSERT_LE(v, 9);
    began_again = v == 2;
  }
  EXPECT_TRUE(began_again);
}

TEST(PlayerTest, SleepDoesNotMakeItJump) {
  Player player;
  player.start(logarithmic, 10.0);
  // A tenth of a second at most, of the thirty in which it goes four decades: 3 %.
  EXPECT_LT(std::get<double>(player.advance(3600, {})), 10.4);
}

TEST(NumberTextTest, ReadsAsAPersonWritesIt) {
  EXPECT_EQ(grouped(8192), "8192");
  EXPECT_EQ(grouped(500000), "500\u2009000");
  EXPECT_EQ(grouped(-1234567), "\u22121\u2009234\u2009567");
  EXPECT_EQ(number_text(-0.25), "\u22120.25");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(std::nan("")), "NaN");
  EXPECT_EQ(number_text(-INFINITY), "\u2212\u221E");
  EXPECT_EQ(value_text(parameter::Value(37.5)), "37.5");
  EXPECT_EQ(duration_text(0.00042), "0.42 ms");
  EXPECT_EQ(duration_text(0.120), "120 ms");
  EXPECT_EQ(duration_text(3.4), "3.4 s");
}

TEST(StyleTest, WordsCanBeRead) {
  for (const figure::Theme* theme : {&figure::dark_theme(), &figure::light_theme()}) {
    const Tokens t = tokens_of(*theme);
    // 4.5 : 1 is what WCAG 2.1 asks of text at level AA.
    for (const figure::Color ink : {t.text, t.secondary, t.faint, t.accent, t.holds, t.fails})
      EXPECT_GE(contrast(ink, t.pane), 4.5) << theme->name;
    for (const figure::Color ink : {t.text, t.secondary}) {
      EXPECT_GE(contrast(ink, t.control), 4.5) << theme->name;
      EXPECT_GE(contrast(ink, t.ground), 4.5) << theme->name;
    }
    EXPECT_GE(contrast(t.accent, t.accent_ground), 4.5) << theme->name;
  }
}

TEST(HistoryTest, AGestureIsOneStep) {
  const study::Study& s = *study::studies().front();
  Document start;
  start.live = {&s, parameter::Settings(s.parameters)};
  History history;
  EXPECT_FALSE(history.can_undo());
  history.record(start, "A", "slider:a");
  history.record(start, "A", "slider:a");
  history.end_gesture();
  history.record(start, "A", "slider:a");
  EXPECT_EQ(history.undo_what(), "A");
  EXPECT_TRUE(history.undo(start) == start);
  ASSERT_TRUE(history.can_undo());
  history.undo(start);
  EXPECT_FALSE(history.can_undo());
  EXPECT_TRUE(history.can_redo());
  history.record(start, "B", {});
  EXPECT_FALSE(history.can_redo());  // a new edit ends the way forward
}

}  // namespace
}  // namespace orrery::gui::values_test
