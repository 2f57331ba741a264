// A figure's digest: the layout that has one draws what the layout that walks through all data draws.
#include "app/figure/digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/figure/color_map.h"
#include "app/figure/data_range.h"
#include "app/figure/gallery.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::digest_test {
namespace {

constexpr int count = 60000;

/// A noisy line with spikes and holes.
Line noisy(bool falling = false) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Line line;
  for (int i = 0; i < count; ++i) {
    line.x.push_back((falling ? count - i : i + 1) * 0.01 + 0.004 * std::sin(i));
    line.y.push_back(3 + std::sin(i * 1e-3) + 0.2 * normal(random) + (i % 7919 == 0 ? 5 : 0));
    if (i % 9973 < 3 || (i > 40000 && i < 40100 && i % 2 == 0)) line.y.back() = std::nan("");
  }
  return line;
}

/// What a line that is walked through whole becomes: the same samples, one of which turns back, where nobody looks.
Line walked(Line line) {
  line.x.push_back(line.x.front());
  line.y.push_back(std::nan(""));
  line.x.push_back(line.x[line.x.size() / 2]);
  line.y.push_back(3);
  return line;
}

std::vector<std::vector<Point>> drawn(const Line& line, const Panel& axes, const View& view) {
  Panel panel = axes;
  panel.marks = {line};
  LayoutOptions options = page(500, 300, 2);
  options.view = view;
  std::vector<std::vector<Point>> lines;
  for (Polyline& p : all_of_kind<Polyline>(layout(one(panel), options, light_theme(), metrics)))
    lines.push_back(std::move(p.points));
  return lines;
}

/// The widest of the strips that are drawn one after the other belongs to the line: its own path in each.
void expect_equal(const std::vector<std::vector<Point>>& a, const std::vector<std::vector<Point>>& b,
                  const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].size(), b[i].size()) << what << ", line " << i;
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      ASSERT_EQ(a[i][k].x, b[i][k].x) << what << ", line " << i << ", point " << k;
      ASSERT_EQ(a[i][k].y, b[i][k].y) << what << ", line " << i << ", point " << k;
    }
  }
}

Panel fixed_axes(Scale x = {}, Scale y = {}) {
  Panel panel;
  panel.x = {.scale = x, .range = Range{0.01, 600}, .visible = false};
  panel.y = {.scale = y, .range = Range{1, 9}, .visible = false};
  panel.legend = LegendPlace::none;
  return panel;
}

TEST(DigestTest, ALineIsDrawnPointForPointAsWithoutOne) {
  const std::vector<std::pair<const char*, std::optional<Range>>> views{
      {"whole", std::nullopt},    {"some", Range{100, 250}},  {"few", Range{200.001, 200.4}},
      {"holes", Range{399, 402}}, {"beyond", Range{-300, 5}}, {"nothing", Range{700, 800}}};
  for (const bool falling : {false, true})
    for (const bool reversed : {false, true})
      for (const Course course : {Course::straight, Course::step_middle})
        for (const Scale& y : {Scale::linear(), Scale::log(10)})
          for (const auto& [name, range] : views) {
            Panel axes = fixed_axes({}, y);
            axes.x.reversed = reversed;
            Line line = noisy(falling);
            line.course = course;
            View view;
            view.panels = {{range, std::nullopt}};
            ASSERT_TRUE(Trace::of(line.x, line.y));
            const Line slow = walked(line);
            ASSERT_FALSE(Trace::of(slow.x, slow.y));
            // walked() has a lone value more, and holes that end no stretch: compare what both have.
            auto found = drawn(line, axes, view), expected = drawn(slow, axes, view);
            expect_equal(found, expected,
                         std::string(name) + (falling ? ", falling" : "") + (reversed ? ", reversed" : ""));
          }
}

TEST(DigestTest, ExtremesAreThoseOfTheSamples) {
  const Line line = noisy();
  const auto trace = Trace::of(line.x, line.y);
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::uint32_t a = random() % 9000 + 20000, b = a + 1 + random() % (round % 2 ? 40 : 3000);
    const auto hole =
        std::find_if(line.y.begin() + a, line.y.begin() + b, [](double v) { return std::isnan(v); });
    b = static_cast<std::uint32_t>(hole - line.y.begin());
    if (a >= b) continue;
    const auto [low, high, least, greatest] = trace->extremes(line.y, a, b);
    EXPECT_EQ(low, line.y[least]);
    EXPECT_EQ(high, line.y[greatest]);
    EXPECT_EQ(least, std::min_element(line.y.begin() + a, line.y.begin() + b) - line.y.begin());
    EXPECT_EQ(greatest, std::max_element(line.y.begin() + a, line.y.begin() + b) - line.y.begin());
  }
}

TEST(DigestTest, OnlyLongLinesInOrderHaveATrace) {
  Line line = noisy();
  EXPECT_TRUE(Trace::of(line.x, line.y));
  EXPECT_TRUE(Trace::of(noisy(true).x, noisy(true).y));
  std::swap(line.x[100], line.x[5000]);
  EXPECT_FALSE(Trace::of(line.x, line.y));
  EXPECT_FALSE(Trace::of(std::vector<double>(100, 1.0), std::vector<double>(100, 2.0)));
}

TEST(DigestTest, AKeptDigestChangesNothing) {
  const Figure figure = gallery_figure();
  const Digest kept = digest(figure);
  LayoutOptions options = page(850, 964);
  const Scene without = layout(figure, options, print_theme(), metrics);
  options.digest = &kept;
  const Scene with = layout(figure, options, print_theme(), metrics);
  ASSERT_EQ(with.primitives.size(), without.primitives.size());
  for (std::size_t i = 0; i < with.panels.size(); ++i) {
    EXPECT_EQ(with.panels[i].x, without.panels[i].x);
    EXPECT_EQ(with.panels[i].y, without.panels[i].y);
  }
}

// Every place of the table, the values between two of them, and what is no number.
TEST(ValueColorsTest, ManyAtOnceAreAsOneByOne) {
  std::vector<float> values{0, -0.0f, NAN, -NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-45f};
  for (int i = 0; i <= 4096; ++i) values.push_back(static_cast<float>(-3 + 8 * i / 4096.0));
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::diverging, ColorMap::cyclic})
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
      const ColorScale scale{.map = map, .range = Range{-2, 3.3}, .centre = 0.4};
      const ValueColors colors(scale, {}, *theme);
      std::vector<Color> out(values.size());
      colors.map(values, out);
      for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(out[i], colors(values[i])) << values[i];
    }
}

TEST(ValueRangeTest, SeesFiniteValuesOnly) {
  Grid grid{1, 37, std::vector<float>(37, NAN)};
  EXPECT_EQ(value_range(grid), (Range{0, 1}));
  grid.values[3] = -INFINITY;
  grid.values[4] = INFINITY;
  grid.values[17] = -2;
  grid.values[36] = 5;
  EXPECT_EQ(value_range(grid), (Range{-2, 5}));
}

}  // namespace
}  // namespace orrery::figure::digest_test
