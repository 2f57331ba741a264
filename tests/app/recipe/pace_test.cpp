#include "app/recipe/pace.h"

#include <gtest/gtest.h>

namespace orrery::recipe {
namespace {

using language::Language;

TEST(Pace, AnEvenPaceIsTold) {
  Pace pace;
  EXPECT_FALSE(pace.left(0));
  for (int i = 0; i <= 40; ++i) pace.reached(0.01 * i, 0.5 * i);
  EXPECT_NEAR(*pace.left(20), 30, 1e-9);      // 60 hundredths, half a second each
  EXPECT_NEAR(*pace.left(20.3), 29.7, 1e-9);  // the next one is not there yet
}

TEST(Pace, NothingIsToldBeforeThreeSeconds) {
  Pace pace;
  pace.reached(0, 0);
  pace.reached(0.5, 2.9);
  EXPECT_FALSE(pace.left(5));
  pace.reached(0.6, 3.1);
  EXPECT_TRUE(pace.left(5));
}

/// A training that is taken up at 80 %, and 10 s for each hundredth from there.
TEST(Pace, WhatWasFoundReadyAtTheBeginningCountsForNothing) {
  Pace pace;
  for (int i = 0; i <= 80; ++i) pace.reached(0.01 * i, 1e-4 * i);
  for (int i = 1; i <= 5; ++i) {
    pace.reached(0.8 + 0.01 * i, 10 * i);
    EXPECT_NEAR(*pace.left(10 * i), 200 - 10 * i, 0.5) << i;
  }
}

/// Every other ten hundredths were kept.
TEST(Pace, NorDoesWhatIsFoundReadyBetween) {
  Pace pace;
  double seconds = 0;
  for (int i = 0; i <= 60; ++i) {
    seconds += i / 10 % 2 == 0 ? 2 : 1e-3;
    pace.reached(0.01 * i, seconds);
    if (i > 3) {
      EXPECT_NEAR(*pace.left(seconds), 2 * (100 - i), 0.5) << i;
    }
  }
}

TEST(Pace, OneThatIsOverdueSlowsIt) {
  Pace pace;
  for (int i = 0; i <= 10; ++i) pace.reached(0.05 * i, i);
  EXPECT_NEAR(*pace.left(10), 10, 1e-9);
  EXPECT_NEAR(*pace.left(11), 9, 1e-9);
  EXPECT_NEAR(*pace.left(31), 29, 1e-9);  // 20 s over: half of it took 30
}

TEST(Pace, ManySmallSharesAreAsGoodAsFew) {
  Pace pace;
  for (int i = 0; i <= 5000; ++i) pace.reached(1e-4 * i, 0.01 * i);
  EXPECT_NEAR(*pace.left(50), 50, 1e-6);
  Pace slow;  // a share of less than a hundredth counts after two seconds
  slow.reached(0, 0);
  slow.reached(0.001, 1);
  EXPECT_FALSE(slow.left(1));
  slow.reached(0.002, 4);
  EXPECT_NEAR(*slow.left(4), 1996, 1e-6);
}

TEST(Pace, IsSaidInTheUnitOfItsSize) {
  EXPECT_EQ(time_left(Language::en, 0.4), "0 s");
  EXPECT_EQ(time_left(Language::en, 99.4), "99 s");
  EXPECT_EQ(time_left(Language::en, 100), "2 min");
  EXPECT_EQ(time_left(Language::en, 7800), "2 h 10 min");
  EXPECT_EQ(time_left(Language::zh, 180), "3 \u5206\u949F");
}

}  // namespace
}  // namespace orrery::recipe
