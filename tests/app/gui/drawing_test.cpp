// Strokes, dashes and triangles: the geometry under every figure on screen.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

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

TEST(TriangulateTest, EndsForAPolygonThatCrossesItself) {
  const std::vector<ImVec2> bow{{0, 0}, {10, 10}, {10, 0}, {0, 10}};
  EXPECT_EQ(triangulate(bow).size(), 2u);
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
