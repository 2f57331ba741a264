// The lowest and the highest of the cells in one pixel of a map.
#include "app/gui/block_readout.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace orrery::gui::block_readout_test
