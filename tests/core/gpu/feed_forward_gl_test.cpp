// The feed-forward twins of the GPU where nothing is hidden; their values are compared with all other ops'.
#include "core/activation/feed_forward.h"
#include "tests/core/gpu/gl_test.h"

namespace orrery::gpu::feed_forward_gl_test {
namespace {

using tensor::Matrix;
using tensor::View;
using FeedForwardGlTest = GlTest;

TEST_F(FeedForwardGlTest, WhereNothingIsHiddenTheSecondBiasIsAll) {
  const Matrix<float> x{{1, 2, 3}, {4, 5, 6}};
  const Matrix<float> in(3, 0), out(0, 3);
  const std::vector<float> bias{0.5F, -0.25F, 2};
  const Matrix<float> twice_bias{{0.5F, -0.25F, 2}, {0.5F, -0.25F, 2}};
  Matrix<float> y = Matrix<float>::Constant(2, 3, 9);
  activation::feed_forward_gpu(*device, x, {.w1 = in, .w2 = out, .b2 = bias}, activation::Kind::gelu, y);
  EXPECT_EQ(y, twice_bias);
  y.setConstant(9);
  activation::gated_feed_forward_gpu(*device, x, {.gate = in, .up = in, .down = out, .down_bias = bias},
                                     activation::Kind::silu, y);
  EXPECT_EQ(y, twice_bias);
  activation::Gate bilinear = activation::Kind::silu, limited = activation::Kind::silu;
  bilinear.linear = true;
  limited.limit = 7;
  limited.offset = 1;
  for (const activation::Gate& gate : {bilinear, limited}) {
    y.setConstant(9);
    activation::gated_feed_forward_gpu(*device, x, {.gate = in, .up = in, .down = out, .down_bias = bias},
                                       gate, y);
    EXPECT_EQ(y, twice_bias);
  }
}

}  // namespace
}  // namespace orrery::gpu::feed_forward_gl_test
