// Positions of images among text, against what Hugging Face's get_rope_index documents of Qwen2-VL.
#include "core/position/mrope_positions.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

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

/// Runs of all kinds, in an order that the numbers decide; some are empty.
std::vector<MropeStretch> some_stretches(tensor::Index count) {
  std::vector<MropeStretch> stretches;
  for (tensor::Index k = 0; k < count; ++k)
    if (k % 3 == 0)
      stretches.push_back({.text = k * 7 % 23});
    else
      stretches.push_back({.frames = 1 + k % 2 * 2, .rows = k * 5 % 13, .columns = k * 11 % 17});
  return stretches;
}

TEST(MropePositions, TheFastTwinCountsOnFromAnyToken) {
  for (const tensor::Index count : {1, 2, 5, 60, 900}) {
    const std::vector<MropeStretch> stretches = some_stretches(count);
    const tensor::Matrix<double> expected = mrope_positions(stretches);
    tensor::Matrix<double> y(3, expected.cols());
    tensor::Matrix<float> in_float(3, expected.cols());
    mrope_positions_cpu<double>(stretches, y);
    mrope_positions_cpu<float>(stretches, in_float);
    EXPECT_EQ(y, expected) << count;
    EXPECT_EQ(in_float.cast<double>(), expected) << count;
  }
}

TEST(MropePositions, MoreThanFloatsCountAreRefused) {
  const tensor::Index most = most_mrope_tokens;
  EXPECT_EQ(mrope_tokens(std::array<MropeStretch, 1>{{{.text = most}}}), most);
  EXPECT_THROW(mrope_tokens(std::array<MropeStretch, 2>{{{.text = most}, {.text = 1}}}), InvalidArgument);
  EXPECT_THROW(mrope_tokens(std::array<MropeStretch, 1>{
                   {{.frames = tensor::Index{1} << 40, .rows = tensor::Index{1} << 40, .columns = 4}}}),
               InvalidArgument);
  tensor::Matrix<double> y(3, 4);
  EXPECT_THROW(
      mrope_positions_cpu<double>(std::array<MropeStretch, 1>{{{.text = 5}}}, tensor::View<double>(y)),
      InvalidArgument);
}

TEST(MropePositions, NothingAndLessThanNothing) {
  EXPECT_EQ(mrope_positions({}).cols(), 0);
  EXPECT_EQ(mrope_positions(std::array<MropeStretch, 1>{{{.frames = 4, .rows = 0, .columns = 2}}}).cols(), 0);
  EXPECT_THROW(mrope_positions(std::array<MropeStretch, 1>{{{.text = -1}}}), InvalidArgument);
}

}  // namespace
}  // namespace orrery::position::mrope_positions_test
