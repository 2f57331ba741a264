// Three dimensions on a page: directions, what stands before what, and what a dragged point becomes.
#include <gtest/gtest.h>

#include "app/study/kit.h"
#include "core/tensor/error.h"

namespace orrery::study::space_test {
namespace {

double dot(const Point3& a, const Point3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TEST(Space, TheDirectionsOfThePageAreRightHandedAndOfLengthOne) {
  for (const double azimuth : {-180.0, -35.0, 0.0, 90.0, 171.0})
    for (const double elevation : {-90.0, -20.0, 0.0, 45.0, 90.0}) {
      const Space space({azimuth, elevation});
      const Point3 a = space.across(), u = space.up(), t = space.towards();
      // Products of three roundings each.
      for (const Point3& each : {a, u, t}) EXPECT_NEAR(dot(each, each), 1, 1e-15);
      EXPECT_NEAR(dot(a, u), 0, 1e-15);
      EXPECT_NEAR(dot(a, t), 0, 1e-15);
      EXPECT_NEAR(dot(u, t), 0, 1e-15);
      EXPECT_NEAR(a[0] * (u[1] * t[2] - u[2] * t[1]) - a[1] * (u[0] * t[2] - u[2] * t[0]) +
                      a[2] * (u[0] * t[1] - u[1] * t[0]),
                  1, 1e-15);
    }
}

TEST(Space, KnownViews) {
  const Space front({0, 0});  // from the end of the first axis
  EXPECT_EQ(front.at({0, 1, 0}).x, 1);
  EXPECT_EQ(front.at({0, 0, 1}).y, 1);
  EXPECT_EQ(front.at({1, 0, 0}).depth, 1);
  const Space above({-90, 90});  // as a map is drawn
  EXPECT_NEAR(above.at({1, 0, 0}).x, 1, 1e-15);
  EXPECT_NEAR(above.at({0, 1, 0}).y, 1, 1e-15);
  EXPECT_NEAR(above.at({0, 0, 1}).depth, 1, 1e-15);
}

TEST(Space, PaintsTheFarthestFirst) {
  const Space space({0, 0});
  const std::vector<Point3> points{{2, 5, 0}, {-1, 6, 0}, {2, 7, 0}, {0, 8, 0}};
  EXPECT_EQ(space.far_to_near(points), (std::vector<std::size_t>{1, 3, 0, 2}));
  EXPECT_EQ(space.points(points).x, (std::vector<double>{6, 8, 5, 7}));
  EXPECT_EQ(space.line(points).x, (std::vector<double>{5, 6, 7, 8}));  // as it is given
}

TEST(Space, AHandleMovesInThePlaneOfThePage) {
  const Space space({35, 25});
  Panel panel = Space::panel("", 2);
  const Point3 before{0.5, -1, 0.25};
  space.add_handle(panel, before, "vector", "drag", 1);
  ASSERT_EQ(panel.handles.size(), 1u);
  const figure::Handle& handle = panel.handles[0];
  EXPECT_EQ(handle.component, 1);
  EXPECT_EQ(handle.x, space.at(before).x);
  Point3 after = before;  // as the window moves it, by 0.3 right and 0.7 down
  for (std::size_t i = 0; i < 3; ++i) after[i] += 0.3 * handle.across[i] - 0.7 * handle.up[i];
  EXPECT_NEAR(space.at(after).x, handle.x + 0.3, 1e-15);
  EXPECT_NEAR(space.at(after).y, handle.y - 0.7, 1e-15);
  EXPECT_NEAR(space.at(after).depth, space.at(before).depth, 1e-15);
}

TEST(Space, TheViewIsTurnedByAHandleBelow) {
  for (const double azimuth : {-180.0, 0.0, 60.0}) {
    const Space space({azimuth, 10});
    Panel panel = Space::panel("", 3);
    space.add_turning(panel, 3, "drag");
    const figure::Handle& handle = panel.handles[0];
    EXPECT_EQ(handle.parameter, "azimuth");
    EXPECT_NEAR((handle.x - handle.origin_x) / handle.unit, azimuth, 1e-12);
    EXPECT_TRUE(panel.x.range->lo < handle.x && handle.x < panel.x.range->hi);
    EXPECT_TRUE(panel.y.range->lo < handle.y && handle.y < -3);
  }
}

TEST(Space, ItsAnglesAreParameters) {
  constexpr auto parameters = std::to_array<Parameter>({azimuth_parameter("10"), elevation_parameter()});
  Settings settings(parameters);
  settings.set("elevation", "-90");
  EXPECT_EQ(view_of(settings).azimuth, 10);
  EXPECT_EQ(view_of(settings).elevation, -90);
  EXPECT_THROW(settings.set("elevation", "91"), InvalidArgument);
}

}  // namespace
}  // namespace orrery::study::space_test
