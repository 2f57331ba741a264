// Points that a person drags: what can be grabbed, and what it becomes under the pointer.
#include "app/gui/handles.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "tests/app/gui/panel_frame.h"

namespace orrery::gui::handles_test {
namespace {

constexpr parameter::Parameter declared[] = {
    {.name = "angle", .kind = parameter::Kind::real, .fallback = "0", .min = -1, .max = 1},
    {.name = "width", .kind = parameter::Kind::integer, .fallback = "4", .min = 2, .max = 10, .multiple = 2},
    {.name = "vector",
     .kind = parameter::Kind::vector,
     .fallback = "1,0,0",
     .min = -2,
     .max = 2,
     .length = 3},
    {.name = "mode", .kind = parameter::Kind::choice, .fallback = "a", .choices = "a|b"}};

TEST(HandleTest, TurnsAPlaceIntoAnAllowedValue) {
  const parameter::Settings settings{declared};
  figure::Handle handle{.x = 0, .y = 0, .parameter = "angle", .origin_x = 1, .origin_y = 2, .unit = 4};
  EXPECT_DOUBLE_EQ(std::get<double>(*dragged(handle, settings, {3, 9})), 0.5);
  EXPECT_DOUBLE_EQ(std::get<double>(*dragged(handle, settings, {30, 9})), 1);
  handle.along_y = true;
  EXPECT_DOUBLE_EQ(std::get<double>(*dragged(handle, settings, {3, 3})), 0.25);
  handle = {.parameter = "width"};
  EXPECT_EQ(std::get<std::int64_t>(*dragged(handle, settings, {5.2, 0})), 6);
  EXPECT_EQ(std::get<std::int64_t>(*dragged(handle, settings, {99, 0})), 10);
}

TEST(HandleTest, MovesTwoComponentsOfALongerVector) {
  const parameter::Settings settings{declared};
  const figure::Handle handle{.parameter = "vector", .origin_x = 0, .origin_y = 0, .unit = 2, .component = 1};
  const auto value = std::get<std::vector<double>>(*dragged(handle, settings, {1, -8}));
  EXPECT_EQ(value, (std::vector<double>{1, 0.5, -2}));
}

TEST(HandleTest, MovesAPointOfSpaceInThePlaneOfThePage) {
  parameter::Settings settings{declared};
  settings.set("vector", "0.5,-1,0.25");
  // The page goes right along the second component, and up along the diagonal of the other two.
  const figure::Handle handle{
      .x = 3, .y = 4, .parameter = "vector", .across = {0, 1, 0}, .up = {0.6, 0, 0.8}, .hint = "drag"};
  const auto value = std::get<std::vector<double>>(*dragged(handle, settings, {3.5, 5}));
  EXPECT_EQ(value, (std::vector<double>{1.1, -0.5, 1.05}));
  const auto beyond = std::get<std::vector<double>>(*dragged(handle, settings, {99, 4}));
  EXPECT_EQ(beyond, (std::vector<double>{0.5, 2, 0.25}));  // kept within what is allowed
}

TEST(HandleTest, APointOfSpaceIsNoHandThatTurns) {
  figure::PanelFrame square;
  square.plot = {0, 0, 200, 200};
  square.x = square.y = {-1, 3};
  square.x_scale = square.y_scale = figure::Scale::linear();
  const figure::Handle handle{.x = 1, .y = 1, .parameter = "vector", .across = {1, 0, 0}, .up = {0, 0, 1}};
  EXPECT_FALSE(grab(square, handle, declared, square.to_page(1, 1)).turns);
}

TEST(HandleTest, OnlyWhatIsInSightCanBeGrabbed) {
  figure::Figure figure;
  figure.panels.resize(1);
  figure.panels[0].handles = {{.x = 9, .y = 2, .parameter = "angle"},
                              {.x = 10.5, .y = 2, .parameter = "angle"}};
  figure::Scene scene;
  scene.panels = {frame()};  // shows 0 to 10
  EXPECT_EQ(handle_at(figure, scene, declared, scene.panels[0].to_page(9.1, 2)), (HandleId{0, 0}));
  EXPECT_FALSE(handle_at(figure, scene, declared, scene.panels[0].to_page(10.5, 2)));
}

/// A dial in the middle of a square panel of 200 points: its hand points up, its face says 7.
struct Dial {
  Dial() {
    figure.panels.resize(1);
    figure.panels[0].handles = {
        {.x = 1, .y = 2, .parameter = "vector", .origin_x = 1, .origin_y = 1, .component = 1},
        {.x = 1, .y = 1, .parameter = "width", .origin_x = -6, .origin_y = 1}};
    figure::PanelFrame square;
    square.plot = {0, 0, 200, 200};
    square.x = square.y = {-1, 3};
    square.x_scale = square.y_scale = figure::Scale::linear();
    scene.panels = {square};
  }
  figure::Point at(double x, double y) const { return scene.panels[0].to_page(x, y); }
  const figure::Handle& hand() const { return figure.panels[0].handles[0]; }
  figure::Figure figure;
  figure::Scene scene;
};

TEST(HandleTest, AHandIsGrabbedAlongItAndOnItsWholeDial) {
  const Dial dial;
  for (const auto& [x, y] :
       {std::pair{1.0, 2.0}, std::pair{1.02, 1.5}, std::pair{1.9, 1.1}, std::pair{1.0, 1.0}})
    EXPECT_EQ(handle_at(dial.figure, dial.scene, declared, dial.at(x, y)), (HandleId{0, 0})) << x << ' ' << y;
  EXPECT_FALSE(handle_at(dial.figure, dial.scene, declared, dial.at(-0.9, -0.9)));
}

TEST(HandleTest, AHandKeepsItsPlaceUnderThePointer) {
  const Dial dial;
  const auto turned = [&](std::pair<double, double> from, std::pair<double, double> to) {
    const Grab held = grab(dial.scene.panels[0], dial.hand(), declared, dial.at(from.first, from.second));
    return dial.scene.panels[0].to_data(moved(held, dial.at(to.first, to.second)));
  };
  // Grabbed in its middle, and swung a quarter round to the right: it lies there, as long as before.
  const auto [x, y] = turned({1, 1.5}, {1.5, 1});
  EXPECT_NEAR(x, 2, 1e-9);
  EXPECT_NEAR(y, 1, 1e-9);
  // Beside the hand only its direction follows.
  const auto [u, v] = turned({1.9, 1}, {1, 1.2});
  EXPECT_NEAR(u, 0, 1e-9);
  EXPECT_NEAR(v, 1, 1e-9);
}

TEST(HandleTest, AHandThatStandsTurnedAgainstItsValueKeepsThat) {
  parameter::Settings settings{declared};  // the vector's last two components are 0: given here
  settings.set("vector", "0,1,0");
  const Dial dial;  // the value points right, the hand up
  const auto value = std::get<std::vector<double>>(*dragged(dial.hand(), settings, {0, 1}));
  EXPECT_EQ(value, (std::vector<double>{0, 0, 1}));
}

TEST(HandleTest, TheFaceOfADialHasNoRingAndIsFoundByItsHand) {
  const Dial dial;
  EXPECT_TRUE(has_ring(dial.figure.panels[0], 0, declared));
  EXPECT_FALSE(has_ring(dial.figure.panels[0], 1, declared));
  EXPECT_EQ(face_of(dial.figure.panels[0], dial.hand(), declared), &dial.figure.panels[0].handles[1]);
}

TEST(HandleTest, TheRingOfASmallDialLeavesTheDialInSight) {
  const Dial dial;
  figure::PanelFrame frame = dial.scene.panels[0];
  EXPECT_EQ(ring_radius(frame, dial.hand(), declared), 6);
  frame.plot = {0, 0, 40, 40};  // a unit is 10 points
  EXPECT_DOUBLE_EQ(ring_radius(frame, dial.hand(), declared), 4.5);
  frame.plot = {0, 0, 4, 4};
  EXPECT_EQ(ring_radius(frame, dial.hand(), declared), 3);
  EXPECT_EQ(ring_radius(frame, {.parameter = "width", .unit = 1}, declared), 6) << "no hand";
}

TEST(HandleTest, WhatIsNoNumberCannotBeDragged) {
  const parameter::Settings settings{declared};
  EXPECT_FALSE(dragged({.parameter = "mode"}, settings, {1, 1}));
  EXPECT_FALSE(dragged({.parameter = "unknown"}, settings, {1, 1}));
  EXPECT_FALSE(dragged({.parameter = "angle"}, settings, {std::numeric_limits<double>::quiet_NaN(), 1}));
}

// Found by chance: parts of a diagram lay beside the window when it was zoomed in.
TEST(RegionTest, IsWhatThePanelShowsOfIt) {
  const figure::Handle part{.x = 5, .y = 2, .parameter = "mode", .component = 1, .across = {1}, .up = {0.5}};
  const auto box_of = [&](figure::Range xs, figure::Range ys) {
    return region_box(frame({}, {}, xs, ys), part);
  };
  const auto whole = box_of({0, 10}, {0, 5});
  ASSERT_TRUE(whole);
  EXPECT_NEAR(whole->x, 260, exact);
  EXPECT_NEAR(whole->y, 150, exact);
  EXPECT_NEAR(whole->w, 80, exact);
  EXPECT_NEAR(whole->h, 40, exact);
  const auto corner = box_of({5, 7}, {2, 4});  // of it the right upper quarter, at the panel's left lower end
  ASSERT_TRUE(corner);
  EXPECT_NEAR(corner->x, 100, exact);
  EXPECT_NEAR(corner->y, 200, exact);
  EXPECT_NEAR(corner->w, 200, exact);
  EXPECT_NEAR(corner->h, 50, exact);
  EXPECT_FALSE(box_of({7, 9}, {0, 5}));
  EXPECT_FALSE(box_of({0, 10}, {3, 5}));
}

}  // namespace
}  // namespace orrery::gui::handles_test
