// Lines of equal value against fields whose lines are known.
#include "app/figure/contour.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figure/color_scales.h"
#include "app/figure/contour_levels.h"
#include "app/figure/path.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::contour_test {
namespace {

template <class F>
Nodes nodes(int side, double from, double to, F f) {
  Nodes n;
  for (int i = 0; i < side; ++i) n.x.push_back(from + (to - from) * i / (side - 1));
  n.y = n.x;
  for (const double y : n.y)
    for (const double x : n.x) n.values.push_back(f(x, y));
  return n;
}

double total_area(const std::vector<Contour>& rims) {
  double sum = 0;
  for (const Contour& rim : rims) sum += signed_area(rim.points);
  return sum;
}

TEST(Contour, ACircleIsOneRingOfTheRightRadius) {
  const Nodes n = nodes(41, -2, 2, [](double x, double y) { return x * x + y * y; });
  const double h = 0.1, level = 1.7;
  const auto lines = contour_lines(n, level);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].closed);
  EXPECT_LT(signed_area(lines[0].points), 0) << "the larger values lie on the left: outside";
  for (const Point p : lines[0].points) {
    // Between neighbours a line through x² lies above it by at most h²/4: the ring is that much too small.
    EXPECT_LE(p.x * p.x + p.y * p.y, level + 1e-12);
    EXPECT_GE(p.x * p.x + p.y * p.y, level - h * h / 4 - 1e-12);
  }
}

TEST(Contour, LinesOfAPlaneAreStraightAndEndAtTheBorder) {
  const Nodes n = nodes(7, 0, 3, [](double x, double y) { return x + 2 * y; });
  const auto lines = contour_lines(n, 3.3);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_FALSE(lines[0].closed);
  for (const Point p : lines[0].points) EXPECT_NEAR(p.x + 2 * p.y, 3.3, 1e-12);  // linear: only rounding
}

TEST(Contour, RimsEncloseTheAreaAboveTheLevel) {
  const Nodes n = nodes(9, 0, 1, [](double x, double) { return x; });
  const double all = -std::numeric_limits<double>::infinity();
  EXPECT_NEAR(total_area(contour_rims(n, all)), 1, 1e-12);
  EXPECT_NEAR(total_area(contour_rims(n, 0.3)), 0.7, 1e-12);
  EXPECT_TRUE(contour_rims(n, 1.5).empty());
}

TEST(Contour, AHoleIsGoneRoundTheOtherWay) {
  Nodes n = nodes(9, 0, 8, [](double, double) { return 1; });
  n.values[4 * 9 + 4] = std::nan("");  // takes the four cells about it away
  const auto rims = contour_rims(n, 0);
  ASSERT_EQ(rims.size(), 2u);
  EXPECT_NEAR(total_area(rims), 64 - 4, 1e-12);
  EXPECT_LT(std::min(signed_area(rims[0].points), signed_area(rims[1].points)), 0);
}

TEST(Contour, ASaddleIsDecidedByItsMiddle) {
  // Corners 1 0 / 0 1: the two high ones are joined below their mean, apart above it.
  const Nodes n{{0, 1}, {0, 1}, {1, 0, 0, 1}};
  EXPECT_EQ(contour_rims(n, 0.4).size(), 1u);
  EXPECT_EQ(contour_rims(n, 0.6).size(), 2u);
  EXPECT_EQ(contour_lines(n, 0.4).size(), 2u);
}

TEST(Contour, HugeValuesDoNotOverflow) {
  const Nodes n = nodes(5, 0, 1, [](double x, double) { return x < 0.5 ? -1.7e308 : 1.7e308; });
  for (const Contour& c : contour_lines(n, 0))
    for (const Point p : c.points) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
}

bool contains(const Path& polygon, Point p) {
  bool in = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++)
    if ((polygon[i].y > p.y) != (polygon[j].y > p.y) &&
        p.x < (polygon[j].x - polygon[i].x) * (p.y - polygon[i].y) / (polygon[j].y - polygon[i].y) +
                  polygon[i].x)
      in = !in;
  return in;
}

// Hills and hollows, open at the border, with a hole: whatever lies in what, the paint on top is the right one.
TEST(Contour, EveryPlaceHasTheColourOfItsBand) {
  const auto f = [](double x, double y) { return std::sin(2 * x) * std::cos(1.7 * y) + 0.2 * x; };
  constexpr int side = 120;
  auto grid = std::make_shared<Grid>(Grid{side, side, {}});
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      grid->values.push_back(float(f(-4 + 8 * (j + 0.5) / side, -4 + 8 * (i + 0.5) / side)));
  const Contours contours{
      .x = {-4, 4}, .y = {-4, 4}, .grid = grid, .filled = true, .width = 0, .numbers = false};
  Panel panel;
  panel.marks = {contours};
  const Scene scene = layout(one(panel), page(300, 300), light_theme(), metrics);
  const ValueColors colors = value_colors(panel.marks[0], std::nullopt, light_theme());
  const ContourLevels levels = contour_levels(contours, colors.range());
  ASSERT_GE(levels.values.size(), 4u);
  const auto polygons = all_of_kind<Polygon>(scene);
  int checked = 0;
  for (double x = -3.83; x < 4; x += 0.171)
    for (double y = -3.79; y < 4; y += 0.163) {
      const double value = f(x, y);
      // Linear between cells of 0.067: the field is off by at most 0.067²/8 · (4 + 2.9) < 0.004; twice that is kept
      // clear, and a quarter of a pixel that a thinned line may move.
      const auto near = [&](double level) { return std::abs(level - value) < 0.02; };
      if (std::ranges::any_of(levels.values, near)) continue;
      const Point p = scene.panels[0].to_page(x, y);
      Color top{};
      for (const Polygon& polygon : polygons)
        if (contains(polygon.points, p)) top = polygon.color;
      EXPECT_EQ(top, colors(levels.inside(levels.band(value)))) << x << " " << y << " " << value;
      ++checked;
    }
  EXPECT_GT(checked, 1500);
}

TEST(ContourLevels, AsTicksOrAsAsked) {
  Contours c;
  EXPECT_EQ(contour_levels(c, {0, 1}).texts.front().substr(0, 2), "0.");
  for (const double v : contour_levels(c, {0, 1}).values) EXPECT_TRUE(v > 0 && v < 1);
  c.levels = {3, 1, 1, std::nan("")};
  EXPECT_EQ(contour_levels(c, {0, 1}).values, (std::vector<double>{1, 3}));
  EXPECT_EQ(contour_levels(c, {0, 1}).texts, (std::vector<std::string>{"1", "3"}));
}

}  // namespace
}  // namespace orrery::figure::contour_test
