// Biases by distance on the graphics device: every element is a copy, bit by bit.
#include "core/position/alibi.h"
#include "core/position/relative_bias.h"
#include "tests/core/gpu/gl_test.h"

namespace orrery::gpu {
namespace {

using position::Direction;
using tensor::Index;
using tensor::Matrix;

using BiasGlTest = GlTest;

TEST_F(BiasGlTest, EveryElementIsTheValueOfItsDistance) {
  for (const Index length : {1, 2, 16, 33, 257}) {
    for (const Index heads : {1, 3}) {
      for (const Direction direction : {Direction::causal, Direction::bidirectional}) {
        const Matrix<float> v = position::alibi_values(heads, length, direction).cast<float>();
        support::GuardedMatrix<float> y(heads * length, length);
        position::relative_bias_gpu(*device, v, y.view());
        EXPECT_TRUE(y.intact());
        Matrix<float> expected(heads * length, length);
        position::relative_bias_cpu<float>(v, expected);
        EXPECT_EQ(Matrix<float>(y.view().eigen()), expected) << heads << " heads of " << length;
      }
    }
  }
}

TEST_F(BiasGlTest, RefusesWhatDoesNotFitAndLeavesEmptyAlone) {
  const Matrix<float> v = Matrix<float>::Zero(2, 7);
  Matrix<float> y(8, 5), none(0, 0);
  EXPECT_THROW(position::relative_bias_gpu(*device, v, y), InvalidArgument);
  EXPECT_NO_THROW(position::relative_bias_gpu(*device, Matrix<float>(2, 0), none));
}

}  // namespace
}  // namespace orrery::gpu
