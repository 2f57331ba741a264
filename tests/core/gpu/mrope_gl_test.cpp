// Positions of M-RoPE on the graphics device: whole numbers, the same in every bit.
#include <array>
#include <vector>

#include "core/position/mrope_positions.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/inputs.h"

namespace orrery::gpu::mrope_gl_test {
namespace {

using position::MropeStretch;
using tensor::Index;
using tensor::Matrix;

using MropeGlTest = GlTest;

TEST_F(MropeGlTest, EveryTokenFindsItsRun) {
  for (const Index count : {1, 2, 7, 300}) {
    std::vector<MropeStretch> stretches;
    for (Index k = 0; k < count; ++k) {
      stretches.push_back({.text = k * 5 % 7});
      stretches.push_back({.frames = 1 + k % 3, .rows = 1 + k * 3 % 5, .columns = k * 7 % 11});
    }
    const Matrix<double> expected = position::mrope_positions(stretches);
    support::GuardedMatrix<float> y(3, expected.cols());
    position::mrope_positions_gpu(*device, stretches, y.view());
    EXPECT_TRUE(y.intact());
    EXPECT_EQ(Matrix<float>(y.view().eigen()).cast<double>(), expected) << count;
  }
}

// More work groups than a small grid has.
TEST_F(MropeGlTest, LongTextsAndNone) {
  const std::array<MropeStretch, 3> longest{
      {{.text = 150000}, {.frames = 2, .rows = 250, .columns = 250}, {.text = 25000}}};
  const Matrix<double> expected = position::mrope_positions(longest);
  Matrix<float> y(3, expected.cols()), none(3, 0);
  position::mrope_positions_gpu(*device, longest, tensor::View<float>(y));
  EXPECT_EQ(y.cast<double>(), expected);
  EXPECT_NO_THROW(position::mrope_positions_gpu(*device, {}, tensor::View<float>(none)));
}

}  // namespace
}  // namespace orrery::gpu::mrope_gl_test
