// Circles in paths: those that were computed, and none else.
#include "app/figure/arcs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace orrery::figure::arcs_test {
namespace {

constexpr double pi = std::numbers::pi;

Path around(Point centre, double radius, double from, double sweep, int steps) {
  Path path;
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + sweep * i / steps;
    path.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return path;
}

TEST(Arcs, AWholeCircleIsOne) {
  const auto runs = arc_runs(around({100, 50}, 12, 0.3, -2 * pi, 72));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].first, 0u);
  EXPECT_EQ(runs[0].last, 72u);
  EXPECT_NEAR(runs[0].centre.x, 100, 1e-9);
  EXPECT_NEAR(runs[0].centre.y, 50, 1e-9);
  EXPECT_NEAR(runs[0].radius, 12, 1e-9);
  EXPECT_NEAR(runs[0].from, 0.3, 1e-9);
  EXPECT_NEAR(runs[0].sweep, -2 * pi, 1e-9);
  EXPECT_TRUE(runs[0].whole());
}

TEST(Arcs, ARibbonHasTwoAndStraightEnds) {
  Path ribbon = around({0, 0}, 20, 0, 2, 40);
  for (const Point p : around({0, 0}, 15, 2, -2, 40)) ribbon.push_back(p);
  const RoundPath path = round_path(ribbon, true);
  ASSERT_EQ(path.arcs.size(), 2u);
  EXPECT_NEAR(path.arcs[0].sweep, 2, 1e-9);
  EXPECT_NEAR(path.arcs[1].sweep, -2, 1e-9);
  EXPECT_EQ(path.points.size(), ribbon.size()) << "the straight way back is the closing's";
  int straight = 0, round = 0;
  path.follow([&](Point) { ++straight; }, [&](const ArcRun&) { ++round; });
  EXPECT_EQ(straight, 1);
  EXPECT_EQ(round, 2);
  EXPECT_FALSE(path.is_circle());
}

TEST(Arcs, AClosedRingIsACircle) {
  Path ring = around({5, 5}, 2, -pi / 2, 2 * pi, 24);
  ring.pop_back();
  EXPECT_TRUE(round_path(ring, true).is_circle());
  EXPECT_FALSE(round_path(ring, false).is_circle()) << "open, a piece is missing";
}

TEST(Arcs, WhatWasCutOffIsStraight) {
  Path path = around({0, 0}, 10, 0, 3, 60);
  path.front() = {(path[0].x + path[1].x) / 2,
                  (path[0].y + path[1].y) / 2};  // on the chord, as clipping leaves it
  const auto runs = arc_runs(path);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].first, 1u);
  EXPECT_EQ(runs[0].last, 60u);
}

TEST(Arcs, CornersAndCurvesAreNone) {
  EXPECT_TRUE(arc_runs({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}).empty());
  EXPECT_TRUE(arc_runs(around({0, 0}, 5, 0, 2 * pi, 12)).empty()) << "steps of 30 degrees are corners";
  EXPECT_TRUE(arc_runs(around({0, 0}, 5, 0, 0.2, 3)).empty()) << "four points are on a circle by chance";
  Path wave, line, parabola;
  for (int i = 0; i < 2000; ++i) {
    wave.push_back({0.1 * i, 40 * std::sin(0.01 * i)});
    line.push_back({0.1 * i, 0.05 * i});
    parabola.push_back({0.1 * i, 1e-4 * (i - 1000) * (i - 1000)});
  }
  EXPECT_TRUE(arc_runs(wave).empty());
  EXPECT_TRUE(arc_runs(line).empty());
  EXPECT_TRUE(arc_runs(parabola).empty());
  EXPECT_TRUE(arc_runs({{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}).empty());
  EXPECT_TRUE(arc_runs({}).empty());
  Path broken = around({0, 0}, 5, 0, 1, 20);
  for (Point& p : broken) p.x = std::nan("");
  EXPECT_TRUE(arc_runs(broken).empty());
}

}  // namespace
}  // namespace orrery::figure::arcs_test
