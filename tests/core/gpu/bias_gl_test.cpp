// Biases on the graphics device: those by distance are copies, bit by bit; FIRE's are computed there.
#include <algorithm>
#include <cmath>

#include "core/position/alibi.h"
#include "core/position/fire.h"
#include "core/position/relative_bias.h"
#include "core/tensor/declined.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/inputs.h"

namespace orrery::gpu::bias_gl_test {
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

// More heads than share a pass, and both depths: within the bound, which is relative to the network of magnitudes.
TEST_F(BiasGlTest, FireOfManyHeads) {
  const auto vector = [](Index n, unsigned stream) {
    const auto m = support::normal_floats(1, n, stream);
    return std::vector<double>(m.data(), m.data() + m.size());
  };
  double worst = 0;
  for (const Index heads : {1, 8, 19}) {
    for (const bool deep : {false, true}) {
      position::FireWeights w{.w_in = vector(32, 1),
                              .b_in = vector(32, 2),
                              .w_out = support::normal_floats(heads, 32, 3),
                              .b_out = vector(heads, 4)};
      if (deep) w.w_mid = support::normal_floats(32, 32, 5), w.b_mid = vector(32, 6);
      const position::FireParams params{.threshold = 8};
      tensor::Matrix<double> reference(heads * 20, 20), magnitude(heads * 20, 20);
      position::fire_ref(w, params, reference);
      position::fire_magnitude(w, params, magnitude);
      support::GuardedMatrix<float> y(heads * 20, 20);
      position::fire_gpu(*device, w, params, y.view());
      EXPECT_TRUE(y.intact());
      const tensor::Bound bound = position::fire_gpu_bound(w);
      for (Index i = 0; i < reference.rows(); ++i)
        for (Index j = 0; j < 20; ++j) {
          const double seen = y.view()(i, j), exact = reference(i, j);
          if (std::isinf(exact)) {
            ASSERT_EQ(seen, exact);
            continue;
          }
          const double used = std::abs(seen - exact) / (bound.abs + bound.rel * magnitude(i, j));
          ASSERT_LE(used, 1) << heads << " heads [" << i << ", " << j << "]: " << seen << ", not " << exact;
          worst = std::max(worst, used);
        }
    }
  }
  std::printf("    fire, worst: %.0f %% of the bound\n", 100 * worst);
}

TEST_F(BiasGlTest, TooManyHiddenUnitsForOneShaderAreDeclinedAloud) {
  if (!device->info().software) GTEST_SKIP() << "this driver goes through any loop";
  const tensor::Index most = Loops{.nested = true}.most();
  const auto weights = [](tensor::Index units) {
    const std::vector<double> one_each(static_cast<std::size_t>(units), 1.0);
    return position::FireWeights{.w_in = one_each,
                                 .b_in = one_each,
                                 .w_mid = tensor::Matrix<double>::Ones(units, units),
                                 .b_mid = one_each,
                                 .w_out = tensor::Matrix<double>::Ones(1, units),
                                 .b_out = std::vector<double>(1)};
  };
  tensor::Matrix<float> y(4, 4);
  tensor::Matrix<double> expected(4, 4);
  position::fire_gpu(*device, weights(most), {}, y);
  position::fire_ref(weights(most), {}, expected);
  EXPECT_NEAR(y(3, 1), expected(3, 1), 1e-4 * std::abs(expected(3, 1)));
  EXPECT_THROW(position::fire_gpu(*device, weights(most + 1), {}, y), Declined);
}

}  // namespace
}  // namespace orrery::gpu::bias_gl_test
