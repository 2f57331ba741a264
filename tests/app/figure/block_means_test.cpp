// A pixel that stands for many cells has their mean, whatever the resolution.
#include "app/figure/block_means.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "core/tensor/random.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::block_means_test {
namespace {

constexpr double any = 1 << 24;

/// 96 × 480 values, as a grid and as a sampler of the same cells.
struct Both {
  Grid grid{96, 480, {}};
  Heatmap of_grid, of_sampler;

  Both() {
    const tensor::Random random(7);
    for (int i = 0; i < grid.rows * grid.cols; ++i)
      grid.values.push_back(static_cast<float>(random.uniform(static_cast<std::uint64_t>(i))));
    of_grid.x = of_sampler.x = {0, 480};
    of_grid.y = of_sampler.y = {0, 96};
    of_grid.grid = std::make_shared<Grid>(grid);
    of_sampler.full_cols = grid.cols;
    of_sampler.full_rows = grid.rows;
    of_sampler.sampler = [grid = grid](Range x, Range y, int cols, int rows) {
      Grid out{rows, cols, {}};
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
          const auto m = static_cast<std::size_t>(y.lo + (r + 0.5) / rows * y.length()),
                     n = static_cast<std::size_t>(x.lo + (c + 0.5) / cols * x.length());
          out.values.push_back(grid.values[m * static_cast<std::size_t>(grid.cols) + n]);
        }
      return out;
    };
  }
};

Grid means(const Heatmap& map, int cols, int rows) {
  const Scale linear;
  return block_means(field_of(map), {map.x, cols, linear}, {map.y, rows, linear}, std::nullopt, any);
}

double mean_of(const Grid& grid) {
  double sum = 0;
  for (const float v : grid.values) sum += v;
  return sum / static_cast<double>(grid.values.size());
}

// 480 and 96 are multiples of some of these and of others not: parts of cells are counted as parts.
TEST(BlockMeans, TheMeanOfAllIsTheSameAtEveryResolution) {
  const Both both;
  for (const auto& [cols, rows] : {std::pair(480, 96), {240, 48}, {97, 31}, {7, 5}, {1, 1}})
    for (const Heatmap* map : {&both.of_grid, &both.of_sampler})
      EXPECT_NEAR(mean_of(means(*map, cols, rows)), mean_of(both.grid), 1e-6) << cols << " × " << rows;
}

TEST(BlockMeans, EachIsTheSumOverItsCells) {
  const Both both;
  const Grid coarse = means(both.of_sampler, 40, 8);
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 40; ++c) {
      double sum = 0;
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
          sum +=
              both.grid
                  .values[static_cast<std::size_t>(12 * r + i) * 480 + static_cast<std::size_t>(12 * c + j)];
      EXPECT_NEAR(coarse.values[static_cast<std::size_t>(40 * r + c)], sum / 144, 1e-6);
    }
}

TEST(BlockMeans, MaskedAndUnknownCellsHaveNoPart) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  Heatmap map;
  map.x = {0, 4};
  map.y = {0, 3};
  map.grid = std::make_shared<Grid>(Grid{3, 4, {-inf, 1, 2, 3, -inf, -inf, -inf, 5, nan, nan, nan, 7}});
  const Grid one = means(map, 1, 3);
  EXPECT_EQ(one.values[0], 2) << "one of four is masked";
  EXPECT_EQ(one.values[1], -inf) << "three of four are";
  EXPECT_TRUE(std::isnan(one.values[2]));
}

TEST(BlockMeans, PhasesHaveADirectionOrNone) {
  const Range turn{0, 2 * std::numbers::pi};
  const auto mean = [&](std::vector<float> phases) {
    Heatmap map;
    const auto count = static_cast<int>(phases.size());
    map.x = {0, static_cast<double>(count)};
    map.y = {0, 1};
    map.grid = std::make_shared<Grid>(Grid{1, count, std::move(phases)});
    const Scale linear;
    return block_means(field_of(map), {map.x, 1, linear}, {map.y, 1, linear}, turn, any).values[0];
  };
  EXPECT_NEAR(mean({0.25F, 0.75F}), 0.5, 1e-6);
  EXPECT_NEAR(mean({0.1F, static_cast<float>(turn.hi) - 0.3F}), turn.hi - 0.1, 1e-5) << "over the seam";
  EXPECT_EQ(mean({0, 1.5707963F, 3.1415927F, 4.712389F}), -std::numeric_limits<float>::infinity())
      << "they cancel out";
}

// The picture of a fine pattern is its mean, not a coarse pattern that is not there.
TEST(BlockMeans, NoPatternAppearsThatIsNotThere) {
  Panel panel;
  Heatmap map;
  map.x = {0, 100000};
  map.y = {0, 4};
  map.full_cols = 100000;
  map.full_rows = 4;
  map.colors.range = Range{-1, 1};
  map.sampler = [](Range x, Range, int cols, int rows) {
    Grid grid{rows, cols, {}};
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        const auto n = static_cast<std::int64_t>(x.lo + (c + 0.5) / cols * x.length());
        grid.values.push_back(n % 2 ? 1.0F : -1.0F);
      }
    return grid;
  };
  panel.marks = {map};
  panel.legend = LegendPlace::none;
  LayoutOptions options = page(200, 100, 2);
  options.most_cells = any;
  const Scene s = layout(one(panel), options, print_theme(), metrics);
  const Color middle = ValueColors(map.colors, {-1, 1}, print_theme())(0);
  const std::vector<Image> images = all_of_kind<Image>(s);
  ASSERT_FALSE(images.empty());
  for (const Color& pixel : *images[0].pixels) {
    EXPECT_NEAR(pixel.r, middle.r, 6);
    EXPECT_NEAR(pixel.g, middle.g, 6);
    EXPECT_NEAR(pixel.b, middle.b, 6);
  }
  bool said = false;
  for (const Label& label : all_of_kind<Label>(s)) said = said || label.text == "averaged";
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace orrery::figure::block_means_test
