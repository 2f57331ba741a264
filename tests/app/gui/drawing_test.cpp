// Strokes, dashes and triangles: the geometry under every figure on screen.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "app/gui/stroke.h"
#include "app/gui/triangulate.h"

namespace orrery::gui::drawing_test {
namespace {

double area(const std::vector<ImVec2>& points, const std::vector<Triangle>& triangles) {
  double sum = 0;
  for (const Triangle& t : triangles) {
    const std::array<ImVec2, 3> corners{points[static_cast<std::size_t>(t[0])],
                                        points[static_cast<std::size_t>(t[1])],
                                        points[static_cast<std::size_t>(t[2])]};
    sum += std::abs(signed_area(corners));
  }
  return sum;
}

/// Triangles that cover a polygon without overlap have its area together, and there are n − 2 of them.
void expect_tiled(const std::vector<ImVec2>& points) {
  const auto triangles = triangulate(points);
  EXPECT_EQ(triangles.size(), points.size() - 2);
  // Coordinates are floats of some hundreds: products are good to 1e-7 of them.
  EXPECT_NEAR(area(points, triangles), std::abs(signed_area(points)), 1e-5 * std::abs(signed_area(points)));
}

TEST(TriangulateTest, TilesConvexAndHollowShapesInBothDirections) {
  const std::vector<ImVec2> square{{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  const std::vector<ImVec2> arrow{{0, 0}, {10, 5}, {0, 10}, {4, 5}};
  const std::vector<ImVec2> comb{{0, 0},   {90, 0},  {90, 50}, {75, 10}, {60, 50},
                                 {45, 10}, {30, 50}, {15, 10}, {0, 50}};
  for (const auto& shape : {square, arrow, comb}) {
    expect_tiled(shape);
    expect_tiled({shape.rbegin(), shape.rend()});
  }
}

TEST(TriangulateTest, TilesABandBetweenTwoWaves) {
  std::vector<ImVec2> band;
  for (int i = 0; i <= 300; ++i)
    band.push_back({static_cast<float>(i), 40 + 20 * std::sin(static_cast<float>(i) / 9)});
  for (int i = 300; i >= 0; --i)
    band.push_back({static_cast<float>(i), 90 + 25 * std::cos(static_cast<float>(i) / 7)});
  expect_tiled(band);
}

/// Whether a place lies in a polygon, by how often a ray from it meets the rim.
bool within(const std::vector<ImVec2>& points, ImVec2 p) {
  bool odd = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImVec2 a = points[i], b = points[(i + 1) % points.size()];
    if ((a.x <= p.x) != (b.x <= p.x) && a.y + (p.x - a.x) / (b.x - a.x) * (b.y - a.y) < p.y) odd = !odd;
  }
  return odd;
}

/// Triangles that cover a polygon without overlap, and nothing beside it, though it comes by some points twice.
void expect_covered(const std::vector<ImVec2>& points) {
  const auto triangles = triangulate(points);
  EXPECT_NEAR(area(points, triangles), std::abs(signed_area(points)), 1e-5 * std::abs(signed_area(points)));
  for (const Triangle& t : triangles) {
    std::vector<ImVec2> corners;
    ImVec2 centre(0, 0);
    for (const int i : t) {
      corners.push_back(points[static_cast<std::size_t>(i)]);
      centre = {centre.x + corners.back().x / 3, centre.y + corners.back().y / 3};
    }
    // One without an area covers nothing, wherever its middle comes to lie.
    if (std::abs(signed_area(corners)) < 1e-3) continue;
    EXPECT_TRUE(within(points, centre)) << centre.x << ", " << centre.y;
  }
}

/// As draw(Band) has it: there along the lower edge, back along the upper one.
std::vector<ImVec2> band_between(const std::vector<float>& low, const std::vector<float>& high) {
  std::vector<ImVec2> band;
  for (std::size_t i = 0; i < low.size(); ++i) band.push_back({4 * static_cast<float>(i), low[i]});
  for (std::size_t i = high.size(); i-- > 0;) band.push_back({4 * static_cast<float>(i), high[i]});
  return band;
}

TEST(TriangulateTest, ABandWithoutWidthAtSomePlacesIsFilledNowhereElse) {
  // Pinched at one point of a bend, at the ends, and for a while.
  const std::vector<float> low{50, 20, 60, 30, 30, 80, 75, 70, 20, 40, 90};
  const std::vector<float> high{50, 40, 60, 70, 35, 80, 75, 70, 25, 90, 90};
  expect_covered(band_between(low, high));
  expect_covered(band_between(high, low));
  std::vector<float> wave, wave_and_more;
  for (int i = 0; i < 900; ++i) {
    const auto x = static_cast<float>(i);
    wave.push_back(200 + 90 * std::sin(x / 5));
    wave_and_more.push_back(wave.back() + std::max(0.0f, 60 * std::sin(x / 3)));
  }
  expect_covered(band_between(wave, wave_and_more));
}

TEST(TriangulateTest, ABandWithoutAnyWidthHasNoTriangles) {
  const std::vector<float> line{50, 20, 60, 30};
  EXPECT_TRUE(triangulate(band_between(line, line)).empty());
}

TEST(TriangulateTest, AHoleThatTouchesTheRimStaysAHole) {
  const std::vector<ImVec2> hole{{0, 0}, {30, 0}, {30, 30}, {0, 30}, {0, 0}, {10, 20}, {20, 20}, {20, 10}};
  expect_covered(hole);
  expect_covered({hole.begin() + 4, hole.end()});
  std::vector<ImVec2> from_inside(hole);
  std::rotate(from_inside.begin(), from_inside.begin() + 6, from_inside.end());
  expect_covered(from_inside);
}

TEST(TriangulateTest, BothWingsOfABowTiedAtAPointAreFilled) {
  const std::vector<ImVec2> bow{{0, 0}, {5, 5}, {10, 10}, {10, 0}, {5, 5}, {0, 10}};
  EXPECT_NEAR(area(bow, triangulate(bow)), 50, 1e-3);
}

TEST(TriangulateTest, EndsForAPolygonThatCrossesItself) {
  const std::vector<ImVec2> bow{{0, 0}, {10, 10}, {10, 0}, {0, 10}};
  EXPECT_EQ(triangulate(bow).size(), 2u);
}

TEST(TriangulateTest, AScribbleOfThousandsOfPointsDoesNotTakeLong) {
  std::vector<ImVec2> scribble;
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> anywhere(0, 300);
  for (int i = 0; i < 8000; ++i) {
    const float x = anywhere(random);
    scribble.push_back({x, anywhere(random)});
  }
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(triangulate(scribble).size(), 7998u);
  // Half a second where nothing else runs; twenty where every cut follows a whole round in vain.
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST(DashTest, PiecesAreAsLongAsThePatternSays) {
  const std::vector<ImVec2> line{{0, 0}, {6, 0}, {6, 14}};  // 20 long, with a corner inside a dash
  const std::array<double, 2> pattern{5, 3};
  const auto pieces = dashes(line, pattern, false);
  ASSERT_EQ(pieces.size(), 3u);  // 0–5, 8–13, 16–20
  const auto length = [](const std::vector<ImVec2>& piece) {
    double sum = 0;
    for (std::size_t i = 1; i < piece.size(); ++i)
      sum += std::hypot(piece[i].x - piece[i - 1].x, piece[i].y - piece[i - 1].y);
    return sum;
  };
  // Float steps along the line: each cut is rounded once, to 1e-6 of some ten units.
  EXPECT_NEAR(length(pieces[0]), 5, 1e-5);
  EXPECT_NEAR(length(pieces[1]), 5, 1e-5);
  EXPECT_NEAR(length(pieces[2]), 4, 1e-5);
  EXPECT_NEAR(pieces[1].front().y, 2, 1e-5);
}

TEST(DashTest, AnEmptyOrZeroPatternDrawsNothing) {
  const std::vector<ImVec2> line{{0, 0}, {6, 0}};
  EXPECT_TRUE(dashes(line, std::array<double, 2>{0, 0}, false).empty());
  EXPECT_TRUE(dashes(std::vector<ImVec2>{{1, 1}}, std::array<double, 2>{2, 2}, false).empty());
}

/// A draw list of its own, with what it needs of a context.
struct List {
  List() : context(ImGui::CreateContext()) {
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().Fonts->Build();
    ImGui::GetIO().DisplaySize = {100, 100};
    ImGui::NewFrame();
  }
  ~List() {
    ImGui::EndFrame();
    ImGui::DestroyContext(context);
  }
  ImDrawList& draw() { return *ImGui::GetForegroundDrawList(); }
  ImGuiContext* context;
};

TEST(StrokeTest, AZigzagStaysWithinHalfItsWidth) {
  List list;
  const std::vector<ImVec2> zigzag{{0, 50}, {5, 10}, {6, 50}, {7, 10}, {12, 50}};
  const int before = list.draw().VtxBuffer.Size;
  stroke(list.draw(), zigzag, IM_COL32_WHITE, 2, 1, false);
  ASSERT_GT(list.draw().VtxBuffer.Size, before);
  for (int i = before; i < list.draw().VtxBuffer.Size; ++i) {
    const ImVec2 p = list.draw().VtxBuffer[i].pos;
    // Half the width and half the fringe, and a mitre of at most 1 / cos(half of 72°): no spikes.
    EXPECT_GE(p.y, 10 - 1.5 * 1.25);
    EXPECT_LE(p.y, 50 + 1.5 * 1.25);
  }
}

TEST(StrokeTest, ALineThinnerThanAPixelIsPaler) {
  List list;
  const int before = list.draw().VtxBuffer.Size;
  stroke(list.draw(), std::vector<ImVec2>{{0, 0}, {9, 9}}, IM_COL32(255, 255, 255, 200), 0.5f, 1, false);
  unsigned most = 0;
  for (int i = before; i < list.draw().VtxBuffer.Size; ++i)
    most = std::max(most, list.draw().VtxBuffer[i].col >> IM_COL32_A_SHIFT);
  EXPECT_EQ(most, 100u);
}

}  // namespace
}  // namespace orrery::gui::drawing_test
