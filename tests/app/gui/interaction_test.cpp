// Pan, zoom and the way back: arithmetic on a panel as it stands.
#include "app/gui/interaction.h"

#include <gtest/gtest.h>

#include <optional>

#include "app/gui/view_history.h"
#include "tests/app/gui/panel_frame.h"

namespace orrery::gui::interaction_test {
namespace {

TEST(PanTest, WhatWasUnderThePointerStaysUnderIt) {
  const auto f = frame();
  const PanelView view = panned(f, {200, 100}, {300, 150});
  // 100 of 400 points to the right is a quarter of 10; 50 of 200 down is a quarter of 5, and y grows upwards.
  EXPECT_NEAR(view.x->lo, -2.5, exact);
  EXPECT_NEAR(view.x->hi, 7.5, exact);
  EXPECT_NEAR(view.y->lo, 1.25, exact);
  EXPECT_NEAR(view.y->hi, 6.25, exact);
}

TEST(PanTest, FollowsReversedAxes) {
  auto f = frame();
  f.y_reversed = true;
  const PanelView view = panned(f, {200, 100}, {200, 150});
  EXPECT_EQ(*view.x, f.x);
  EXPECT_NEAR(view.y->lo, -1.25, exact);
}

TEST(ZoomTest, KeepsThePlaceUnderThePointer) {
  for (const auto& scale : {figure::Scale::linear(), figure::Scale::log(10)}) {
    auto f = frame(scale, {}, {1, 1000});
    const figure::Point at{180, 90};
    const auto before = f.to_data(at);
    const PanelView view = zoomed(f, at, 1.7, {true, true});
    f.x = *view.x;
    f.y = *view.y;
    const auto after = f.to_data(at);
    // log and exp each add some roundings of numbers up to 7.
    EXPECT_NEAR(after.first / before.first, 1, 1e-11);
    EXPECT_NEAR(after.second, before.second, 1e-11);
  }
}

TEST(ZoomTest, OverAnAxisOnlyThatAxis) {
  const auto f = frame();
  const Axes below = axes_at(f, {300, 260}), beside = axes_at(f, {80, 100}), inside = axes_at(f, {300, 100});
  EXPECT_TRUE(below.x && !below.y);
  EXPECT_TRUE(!beside.x && beside.y);
  EXPECT_TRUE(inside.x && inside.y);
  EXPECT_EQ(*zoomed(f, {300, 260}, 2, below).y, f.y);
  EXPECT_NEAR(zoomed(f, {300, 260}, 2, below).x->length(), 5, exact);
}

TEST(ZoomTest, StopsWhereDoublesEnd) {
  auto f = frame({}, {}, {1, 1 + 4e-11});
  EXPECT_EQ(*zoomed(f, {300, 100}, 100, {true, true}).x, f.x);
}

TEST(BoxTest, TheBoxBecomesThePanel) {
  const PanelView view = boxed(frame(), {200, 100, 100, 50}, {true, true});
  EXPECT_NEAR(view.x->lo, 2.5, exact);
  EXPECT_NEAR(view.x->hi, 5, exact);
  EXPECT_NEAR(view.y->lo, 2.5, exact);
  EXPECT_NEAR(view.y->hi, 3.75, exact);
}

TEST(ViewTest, GrowsToThePanelItIsSetFor) {
  figure::View view;
  set_view(view, 2, {figure::Range{1, 2}, std::nullopt});
  ASSERT_EQ(view.panels.size(), 3u);
  EXPECT_FALSE(view.panels[0].x);
  EXPECT_EQ(view.panels[2].x->lo, 1);
}

figure::View zoomed_to(double lo, double hi) {
  figure::View view;
  view.panels = {{figure::Range{lo, hi}, std::nullopt}};
  return view;
}

TEST(ViewHistoryTest, GoesBackAndForthAndAGestureIsOneStep) {
  ViewHistory history;
  EXPECT_FALSE(history.can_go_back());
  for (int i = 1; i <= 10; ++i) history.observe(zoomed_to(0, i), true, 0.02);  // a drag
  history.observe(zoomed_to(0, 10), false, 0.5);
  for (int i = 1; i <= 5; ++i) history.observe(zoomed_to(i, 10), false, 0.1);  // the wheel
  EXPECT_TRUE(history.can_go_back());
  EXPECT_EQ(history.back(), zoomed_to(0, 10));
  history.observe(zoomed_to(0, 10), false, 0.02);
  EXPECT_EQ(history.back(), figure::View{});
  EXPECT_FALSE(history.can_go_back());
  EXPECT_EQ(history.forward(), zoomed_to(0, 10));
  EXPECT_EQ(history.forward(), zoomed_to(5, 10));
  EXPECT_FALSE(history.can_go_forward());
}

TEST(ViewHistoryTest, ANewViewForgetsWhatLayAheadAndUndoIsAWayBack) {
  ViewHistory history;
  const auto look = [&](const figure::View& view) {
    history.observe(view, false, 0.02);
    history.observe(view, false, 0.5);
  };
  look(zoomed_to(0, 1));
  look(zoomed_to(0, 2));
  look(zoomed_to(0, 1));  // somebody else went back
  EXPECT_TRUE(history.can_go_forward());
  look(zoomed_to(0, 3));
  EXPECT_FALSE(history.can_go_forward());
  EXPECT_EQ(history.back(), zoomed_to(0, 1));
}

}  // namespace
}  // namespace orrery::gui::interaction_test
