// Positions of images among text, against what Hugging Face's get_rope_index documents of Qwen2-VL.
#include "core/position/mrope_positions.h"

#include <gtest/gtest.h>

#include <array>

#include "core/tensor/error.h"

namespace orrery::position::mrope_positions_test {
namespace {

using Row = std::vector<double>;

Row row_of(const tensor::Matrix<double>& m, tensor::Index r) {
  return {m.data() + r * m.cols(), m.data() + (r + 1) * m.cols()};
}

// The example in the documentation of get_rope_index: a video of 3 × 2 × 2, then five tokens of text.
TEST(MropePositions, TheDocumentedVideo) {
  const auto positions =
      mrope_positions(std::array<MropeStretch, 2>{{{.frames = 3, .rows = 2, .columns = 2}, {.text = 5}}});
  EXPECT_EQ(row_of(positions, 0), (Row{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(row_of(positions, 1), (Row{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 3, 4, 5, 6, 7}));
  EXPECT_EQ(row_of(positions, 2), (Row{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 3, 4, 5, 6, 7}));
}

TEST(MropePositions, TextOnBothSidesOfAnImage) {
  const auto positions = mrope_positions(
      std::array<MropeStretch, 3>{{{.text = 2}, {.frames = 1, .rows = 1, .columns = 3}, {.text = 1}}});
  EXPECT_EQ(row_of(positions, 0), (Row{0, 1, 2, 2, 2, 5}));
  EXPECT_EQ(row_of(positions, 2), (Row{0, 1, 2, 3, 4, 5}));
}

TEST(MropePositions, NothingAndLessThanNothing) {
  EXPECT_EQ(mrope_positions({}).cols(), 0);
  EXPECT_EQ(mrope_positions(std::array<MropeStretch, 1>{{{.frames = 4, .rows = 0, .columns = 2}}}).cols(), 0);
  EXPECT_THROW(mrope_positions(std::array<MropeStretch, 1>{{{.text = -1}}}), InvalidArgument);
}

}  // namespace
}  // namespace orrery::position::mrope_positions_test
