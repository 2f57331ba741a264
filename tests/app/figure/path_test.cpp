#include "app/figure/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace orrery::figure::path_test {
namespace {

TEST(Decimate, SpikesSurvive) {
  Path path;
  for (int i = 0; i < 100000; ++i) path.push_back({i * 0.001, std::sin(i * 0.01)});
  path[31415].y = 50;
  path[71828].y = -60;
  const Path kept = decimate(path, 4);
  const auto [least, greatest] =
      std::minmax_element(kept.begin(), kept.end(), [](Point p, Point q) { return p.y < q.y; });
  EXPECT_EQ(greatest->y, 50);
  EXPECT_EQ(greatest->x, 31.415);
  EXPECT_EQ(least->y, -60);
  EXPECT_LE(kept.size(), 4u * 400 + 4);  // four points in each of 400 pixel columns
}

TEST(Decimate, EveryColumnKeepsItsExtremesAndItsOrder) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Path path;
  for (int i = 0; i < 20000; ++i) path.push_back({i * 0.01, normal(random)});
  const Path kept = decimate(path, 2);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), [](Point p, Point q) { return p.x < q.x; }));
  EXPECT_EQ(kept.front().x, path.front().x);
  EXPECT_EQ(kept.back().x, path.back().x);
  for (int column = 0; column < 400; ++column) {
    const auto extremes = [column](const Path& p) {
      double lo = 1e9, hi = -1e9;
      for (const Point q : p)
        if (int(std::floor(q.x * 2)) == column) lo = std::min(lo, q.y), hi = std::max(hi, q.y);
      return std::pair(lo, hi);
    };
    EXPECT_EQ(extremes(kept), extremes(path));
  }
}

TEST(Decimate, ALoopKeepsItsShape) {
  Path circle;
  for (int i = 0; i <= 100000; ++i)
    circle.push_back({50 + 40 * std::cos(i * 6.283185307e-5), 50 + 40 * std::sin(i * 6.283185307e-5)});
  const Path kept = decimate(circle, 4);
  EXPECT_LT(kept.size(), 5000u);  // 251 points of circumference, sixteen kept per point
  for (std::size_t i = 1; i < kept.size(); ++i)
    EXPECT_LT(std::hypot(kept[i].x - kept[i - 1].x, kept[i].y - kept[i - 1].y), 0.07);
}

TEST(ClipPath, CutsAtTheEdges) {
  const Rect box{0, 0, 10, 10};
  const auto parts = clip_path({{-5, 5}, {5, 5}, {5, 20}, {8, 20}, {8, 5}}, box);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].size(), 3u);
  EXPECT_EQ(parts[0][0].x, 0);
  EXPECT_EQ(parts[0][2].y, 10);
  EXPECT_EQ(parts[1][0].y, 10);
  EXPECT_EQ(parts[1][1].y, 5);
  EXPECT_TRUE(clip_path({{-5, -5}, {-5, 20}}, box).empty());
}

TEST(ClipPath, NothingOutsideAndNothingLost) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> place(-20, 30);
  const Rect box{0, 0, 10, 10};
  for (int trial = 0; trial < 1000; ++trial) {
    Path path;
    for (int i = 0; i < 20; ++i) path.push_back({place(random), place(random)});
    const auto parts = clip_path(path, box);
    for (const Path& part : parts)
      for (const Point p : part) {
        EXPECT_GE(std::min(p.x, p.y), -1e-9);
        EXPECT_LE(std::max(p.x, p.y), 10 + 1e-9);
      }
    for (const Point p : path)
      if (box.contains(p)) {
        EXPECT_TRUE(std::any_of(parts.begin(), parts.end(), [&](const Path& part) {
          return std::any_of(part.begin(), part.end(),
                             [&](Point q) { return std::hypot(p.x - q.x, p.y - q.y) < 1e-9; });
        }));
      }
  }
}

TEST(ClipPolygon, KeepsTheCommonArea) {
  const Path cut = clip_polygon({{-5, -5}, {5, -5}, {5, 5}, {-5, 5}}, {0, 0, 10, 10});
  double twice = 0;
  for (std::size_t i = 0; i < cut.size(); ++i) {
    const Point p = cut[i], q = cut[(i + 1) % cut.size()];
    twice += p.x * q.y - q.x * p.y;
  }
  EXPECT_NEAR(std::abs(twice) / 2, 25, 1e-12);
  EXPECT_TRUE(clip_polygon({{-5, -5}, {-1, -5}, {-1, -1}}, {0, 0, 10, 10}).empty());
}

TEST(Cross, IsThroughEachOther) {
  const Path flat{{0, 0}, {4, 0}};
  EXPECT_TRUE(cross(flat, {{1, -1}, {2, 3}}));
  EXPECT_TRUE(cross({{2, 3}, {1, -1}}, flat));
  EXPECT_FALSE(cross(flat, {{5, -1}, {5, 1}})) << "beside it";
  EXPECT_FALSE(cross(flat, {{1, 1}, {2, 3}})) << "over it";
  EXPECT_FALSE(cross(flat, {{1, 0}, {2, 3}})) << "up to it";
  EXPECT_FALSE(cross(flat, {{1, 0}, {9, 0}})) << "along it";
}

}  // namespace
}  // namespace orrery::figure::path_test
