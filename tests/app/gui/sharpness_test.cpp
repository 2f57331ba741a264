// When the window is painted at half its resolution.
#include "app/gui/sharpness.h"

#include <gtest/gtest.h>

namespace orrery::gui::sharpness_test {
namespace {

/// Past the frames that begin a window, all of them quick.
Sharpness begun() {
  Sharpness s;
  for (int i = 0; i < Sharpness::first_frames; ++i) s.painted(false, 0.01, 0);
  return s;
}

TEST(SharpnessTest, CoarseOnlyWhereSharpIsSlowAndThingsMove) {
  Sharpness s = begun();
  EXPECT_FALSE(s.coarse(true, 0));  // nothing is known yet: as it should be
  s.painted(false, 0.02, 0);
  EXPECT_FALSE(s.coarse(true, 0));
  s.painted(false, 0.07, 0);
  EXPECT_TRUE(s.coarse(true, 0));
  EXPECT_FALSE(s.coarse(false, 0));  // what rests is sharp
  // That a coarse frame is quick says nothing of a sharp one: no flicker between both.
  s.painted(true, 0.02, 0);
  EXPECT_TRUE(s.coarse(true, 0));
  s.painted(false, 0.03, 0);  // the window was made smaller
  EXPECT_FALSE(s.coarse(true, 0));
}

TEST(SharpnessTest, TheFirstFramesAreNotCounted) {
  Sharpness s;
  for (int i = 0; i < Sharpness::first_frames; ++i) {
    s.painted(false, 0.5, 0);
    EXPECT_FALSE(s.coarse(true, 0)) << i;
  }
  s.painted(false, 0.5, 0);
  EXPECT_TRUE(s.coarse(true, 0));
}

/// Frames of what moves for so long, 20 a second; how many of them were sharp.
int sharp_frames(Sharpness& s, double& now, double seconds, double sharp_cost) {
  int sharp = 0;
  for (const double end = now + seconds; now < end; now += 0.05) {
    const bool coarse = s.coarse(true, now);
    s.painted(coarse, coarse ? 0.02 : sharp_cost, now);
    sharp += !coarse;
  }
  return sharp;
}

TEST(SharpnessTest, OneSlowFrameIsForgottenWhileThingsStillMove) {
  Sharpness s = begun();
  double now = 10;
  s.painted(false, 0.2, now);
  EXPECT_EQ(sharp_frames(s, now, 0.9, 0.01), 0);
  sharp_frames(s, now, 0.2, 0.01);
  EXPECT_EQ(sharp_frames(s, now, 1, 0.01), 20);
}

TEST(SharpnessTest, WhereEverySharpFrameIsSlowFewAreTried) {
  Sharpness s = begun();
  double now = 10;
  s.painted(false, 0.2, now);
  EXPECT_LE(sharp_frames(s, now, 60, 0.2), 60 / Sharpness::longest_wait + 3);
  EXPECT_GE(sharp_frames(s, now, 60, 0.2), 6);
}

TEST(MovesTest, WhatGoesInStepsRestsBetweenThem) {
  EXPECT_FALSE(Moves{}.any());
  EXPECT_TRUE(Moves{.plays = true}.any());
  EXPECT_FALSE((Moves{.plays = true, .in_steps = true}.any()));
  EXPECT_TRUE((Moves{.plays = true, .in_steps = true, .handled = true}.any()));
}

}  // namespace
}  // namespace orrery::gui::sharpness_test
