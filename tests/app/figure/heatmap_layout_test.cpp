#include "app/figure/layout.h"

#include <gtest/gtest.h>

#include <limits>

#include "app/figure/block_sampler.h"
#include "app/figure/color_map.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::heatmap_layout_test {
namespace {

TEST(Layout, HeatmapIsOneImageOfItsCells) {
  Panel p;
  p.marks = {heatmap(3, 5)};
  std::get<Heatmap>(p.marks[0]).colors.bar = false;
  for (const bool reversed : {false, true}) {
    p.y.reversed = reversed;
    const auto images = all_of_kind<Image>(layout(one(p), page(300, 200), print_theme(), metrics));
    ASSERT_EQ(images.size(), 1u);
    EXPECT_EQ(images[0].width, 5);
    EXPECT_EQ(images[0].height, 3);
    // Value 0 is the darkest: row 0 at the bottom, or at the top of a reversed axis.
    EXPECT_EQ((*images[0].pixels)[reversed ? 0 : 10], map_color(ColorMap::viridis, 0));
    EXPECT_EQ((*images[0].pixels)[reversed ? 14 : 4], map_color(ColorMap::viridis, 1));
  }
}

TEST(Layout, ZoomedHeatmapKeepsItsCellsInPlace) {
  Panel p;
  p.marks = {heatmap(8, 8)};
  LayoutOptions options = page(300, 200);
  options.view.panels = {{Range{1.2, 3.7}, Range{2, 5}}};
  const Scene s = layout(one(p), options, print_theme(), metrics);
  const Image image = all_of_kind<Image>(s)[0];
  EXPECT_EQ(image.width, 4);  // the cells 1 to 4 reach from 0.5 to 4.5
  EXPECT_EQ(image.height, 4);
  const Point corner = s.panels[0].to_page(0.5, 5.5);
  EXPECT_NEAR(image.box.x, corner.x, 1e-9);
  EXPECT_NEAR(image.box.y, corner.y, 1e-9);
  EXPECT_NEAR(image.box.x + image.box.w, s.panels[0].to_page(4.5, 0).x, 1e-9);
}

TEST(Layout, LargeHeatmapHasThePagesPixels) {
  Panel p;
  p.x.visible = p.y.visible = false;
  p.marks = {heatmap(3000, 2000)};
  std::get<Heatmap>(p.marks[0]).colors.bar = false;
  const Scene s = layout(one(p), page(100, 80, 2), print_theme(), metrics);
  const Image image = all_of_kind<Image>(s)[0];
  EXPECT_EQ(image.width, int(std::ceil(s.panels[0].plot.w * 2)));
  EXPECT_EQ(image.height, int(std::ceil(s.panels[0].plot.h * 2)));
}

// What it gives is 1 over the side of what is asked: a value at the whole is none at a part.
TEST(Layout, SamplerOfBlocksIsAskedForThePagesPixelsAndColoursFollowTheView) {
  std::vector<std::pair<int, int>> asked;
  Heatmap h;
  h.x = h.y = {0, 1e9};
  h.full_cols = h.full_rows = 1000000000;
  h.colors.bar = false;
  h.sampler = BlockSampler{[&asked](Range x, Range, int cols, int rows) {
                             asked.emplace_back(cols, rows);
                             Grid grid{rows, cols, {}};
                             for (int i = 0; i < cols * rows; ++i)
                               grid.values.push_back(float((i % cols + 1) / x.length()));
                             return grid;
                           },
                           {}};
  Panel p;
  p.x.visible = p.y.visible = false;
  p.marks = {h};
  LayoutOptions options = page(100, 80, 2);
  for (const double part : {1.0, 1e-4}) {
    options.view.panels = {{Range{0, part * 1e9}, Range{0, part * 1e9}}};
    const Scene s = layout(one(p), options, print_theme(), metrics);
    const Image image = all_of_kind<Image>(s)[0];
    EXPECT_EQ(asked.back(), std::pair(image.width, image.height));
    EXPECT_EQ(image.width, int(std::ceil(s.panels[0].plot.w * 2)));
    EXPECT_EQ((*image.pixels)[0], map_color(ColorMap::viridis, 0));
    // The colours reach as far as the pixels: those of larger blocks would end before.
    const auto last = std::size_t(image.width - 1);
    EXPECT_EQ((*image.pixels)[last], map_color(ColorMap::viridis, 1));
    EXPECT_NE((*image.pixels)[last - 2], (*image.pixels)[last]);
  }
}

TEST(Layout, SamplerIsAskedForPixelsOnly) {
  int most = 0;
  Heatmap h;
  h.x = h.y = {0, 1e6};
  h.full_cols = h.full_rows = 1000000;
  h.sampler = [&most](Range x, Range y, int cols, int rows) {
    most = std::max({most, cols, rows});
    Grid g{rows, cols, {}};
    for (int i = 0; i < rows * cols; ++i) g.values.push_back(float(x.lo + y.lo + i));
    return g;
  };
  Panel p;
  p.marks = {h};
  layout(one(p), page(200, 200, 2), print_theme(), metrics);
  EXPECT_GT(most, 64);
  EXPECT_LE(most, 400);
}

TEST(Layout, MaskedCellsHaveTheirOwnColour) {
  auto grid = std::make_shared<Grid>(Grid{1, 3, {1, -std::numeric_limits<float>::infinity(), std::nanf("")}});
  Heatmap h;
  h.x = {0, 3};
  h.grid = grid;
  Panel p;
  p.marks = {h};
  const Image image = all_of_kind<Image>(layout(one(p), page(200, 200), print_theme(), metrics))[0];
  EXPECT_EQ((*image.pixels)[1], print_theme().masked);
  EXPECT_EQ((*image.pixels)[2], print_theme().bad);
}

TEST(Layout, ColourBarIsAsHighAsTheMap) {
  Panel p;
  p.equal_aspect = true;
  p.marks = {heatmap(5, 5)};
  const Scene s = layout(one(p), page(300, 200), print_theme(), metrics);
  const auto images = all_of_kind<Image>(s);
  ASSERT_EQ(images.size(), 2u);
  EXPECT_DOUBLE_EQ(images[1].box.y, s.panels[0].plot.y);
  EXPECT_DOUBLE_EQ(images[1].box.h, s.panels[0].plot.h);
  EXPECT_NEAR(s.panels[0].plot.w, s.panels[0].plot.h, 1e-9);
}

}  // namespace
}  // namespace orrery::figure::heatmap_layout_test
