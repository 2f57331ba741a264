// Settings by chance: allowed, even along the way of their slider, drawn anew until the study takes them.
#include "app/gui/chance.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "app/language/error.h"
#include "core/parameter/only_when.h"
#include "tests/app/gui/harness.h"
#include "tests/app/gui/picky_study.h"
#include "tests/app/gui/sample_parameters.h"

namespace orrery::gui::chance_test {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;

TEST(ChanceTest, ValuesAreAllowedAndTheSameForTheSameNumber) {
  for (const study::Study* s : study::studies()) {
    const Settings defaults(s->parameters);
    for (std::uint64_t number = 1; number <= 20; ++number) {
      const Settings drawn = by_chance(defaults, {}, number);  // throws where something is not allowed
      EXPECT_EQ(drawn, by_chance(defaults, {}, number));
      for (const Parameter& p : s->parameters) {
        SCOPED_TRACE(std::string(s->id) + " " + std::string(p.name));
        if (p.presentation || p.measures || p.kind == Kind::file) {
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

}  // namespace
}  // namespace orrery::gui::chance_test
