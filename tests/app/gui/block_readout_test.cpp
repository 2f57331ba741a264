// The lowest and the highest of the cells in one pixel of a map.
#include "app/gui/block_readout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/figure/block_sampler.h"

namespace orrery::gui::block_readout_test {
namespace {

/// 100 pixels across, of 1000 columns and one row: value k stands in cell k.
struct Strip {
  figure::Grid grid{1, 1000, {}};
  figure::PanelFrame frame;
  figure::Field field;
  Strip() {
    for (int i = 0; i < 1000; ++i) grid.values.push_back(float(i));
    frame.plot = {0, 0, 100, 10};
    frame.x = {-0.5, 999.5};
    frame.y = {-0.5, 0.5};
    field = {frame.x, frame.y, &grid, nullptr, 1000, 1};
  }
};

TEST(BlockUnder, HasTheLowestTheMeanAndTheHighestOfItsCells) {
  const Strip strip;
  const auto block = block_under(strip.field, strip.frame, {42.7, 5.2});  // pixel 42: cells 420 to 429
  ASSERT_TRUE(block);
  EXPECT_EQ(block->lowest, 420);
  EXPECT_EQ(block->highest, 429);
  EXPECT_EQ(block->mean, 424.5);
}

TEST(BlockUnder, LeavesOutWhatIsMasked) {
  Strip strip;
  for (int i = 420; i < 429; ++i) strip.grid.values[std::size_t(i)] = -INFINITY;
  EXPECT_EQ(block_under(strip.field, strip.frame, {42.7, 5.2})->lowest, 429);
  strip.grid.values[429] = NAN;
  EXPECT_FALSE(block_under(strip.field, strip.frame, {42.7, 5.2}));
}

TEST(BlockUnder, IsNoneWhereAPixelHasOneCell) {
  Strip strip;
  strip.frame.x = {-0.5, 9.5};
  EXPECT_FALSE(block_under(strip.field, strip.frame, {42.7, 5.2}));
}

TEST(BlockUnder, AsksASamplerForItsCellsOnly) {
  const Strip strip;
  int asked = 0;
  const figure::Sampler sampler = [&](figure::Range x, figure::Range, int cols, int rows) {
    asked += cols * rows;
    figure::Grid grid{rows, cols, {}};
    for (int i = 0; i < cols * rows; ++i) grid.values.push_back(float(std::lround(x.lo + 0.5) + i));
    return grid;
  };
  const figure::Field field{strip.field.x, strip.field.y, nullptr, &sampler, 1000, 1};
  const auto block = block_under(field, strip.frame, {42.7, 5.2});
  ASSERT_TRUE(block);
  EXPECT_EQ(block->lowest, 420);
  EXPECT_EQ(block->highest, 429);
  EXPECT_EQ(asked, 10);
}

TEST(BlockUnder, OfASamplerOfBlocksIsWhatThatSays) {
  const Strip strip;
  figure::Range asked;
  double apart = 0;
  const figure::Sampler sampler =
      figure::BlockSampler{{}, [&](figure::Range x, figure::Range) -> std::optional<figure::BlockValues> {
                             asked = x;
                             return figure::BlockValues{2, {-5, -5 + apart}, {7, 7 + apart}};
                           }};
  const figure::Field field{strip.field.x, strip.field.y, nullptr, &sampler, 1000000000, 1};
  const auto block =
      block_under(field, strip.frame, {42.7, 5.2});  // ten million cells: more than are asked for
  ASSERT_TRUE(block);
  EXPECT_NEAR(asked.lo, 419.5, 1e-5);
  EXPECT_NEAR(asked.hi, 429.5, 1e-5);
  EXPECT_EQ(block->lowest, -5);
  EXPECT_EQ(block->mean, 2);
  EXPECT_EQ(block->highest, 7);
  EXPECT_FALSE(block->bounds);
  apart = 1;
  const auto bounds = block_under(field, strip.frame, {42.7, 5.2});
  ASSERT_TRUE(bounds);
  EXPECT_TRUE(bounds->bounds);
  EXPECT_EQ(bounds->lowest, -5);
  EXPECT_EQ(bounds->highest, 8);
}

TEST(BlockUnder, OfASamplerOfRowsSaysHowManyWereLookedAt) {
  const Strip strip;
  const figure::Sampler sampler =
      figure::BlockSampler{{}, [](figure::Range, figure::Range) -> std::optional<figure::BlockValues> {
                             return figure::BlockValues{-6, {}, {}, figure::RowsLooked{2, 1311, 0.034}};
                           }};
  const figure::Field field{strip.field.x, strip.field.y, nullptr, &sampler, 1000000000, 1};
  const auto block = block_under(field, strip.frame, {42.7, 5.2});
  ASSERT_TRUE(block && block->looked);
  EXPECT_EQ(block->mean, -6);
  EXPECT_EQ(block->looked->rows, 2);
  EXPECT_EQ(block->looked->of, 1311);
  EXPECT_EQ(block->looked->error, 0.034);
}

}  // namespace
}  // namespace orrery::gui::block_readout_test
