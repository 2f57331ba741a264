#include "core/activation/feed_forward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/activation/feed_forward_bound.h"
#include "core/activation/glu.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::activation::feed_forward_test {
namespace {

using tensor::Format;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// Tokens and weights as floats, in the scalar of a twin.
template <class T>
struct Network {
  Matrix<T> x, w1, w2, up;
  std::vector<T> b1, b2;

  Network(Index N, Index D, Index F)
      : x(support::normal_floats(N, D, 1).cast<T>()),
        w1(support::normal_floats(D, F, 2).cast<T>()),
        w2(support::normal_floats(F, D, 3).cast<T>()),
        up(support::normal_floats(D, F, 4).cast<T>()),
        b1(static_cast<std::size_t>(F), T(0.5)),
        b2(static_cast<std::size_t>(D), T(-0.25)) {}

  Matrix<T> plain(auto&& twin, const ActivationParams& params) const {
    support::GuardedMatrix<T> y(x.rows(), x.cols());
    twin(View<const T>(x), FeedForwardWeights<T>{.w1 = w1, .w2 = w2, .b1 = b1, .b2 = b2}, params, y.view());
    EXPECT_TRUE(y.intact());
    return y.view().eigen();
  }
  Matrix<T> gated(auto&& twin, const ActivationParams& params) const {
    support::GuardedMatrix<T> y(x.rows(), x.cols());
    twin(View<const T>(x), GatedFeedForwardWeights<T>{.gate = w1, .up = up, .down = w2}, params, y.view());
    EXPECT_TRUE(y.intact());
    return y.view().eigen();
  }
};

TEST(FeedForward, CpuIsWithinItsBoundOverSeveralBlocksOfTokens) {
  support::Worst worst("feed_forward");
  for (const Index N : {1, 63, 64, 65, 200})
    for (const Kind kind : {Kind::relu, Kind::gelu, Kind::silu}) {
      const Network<float> floats(N, 48, 96);
      const Network<double> doubles(N, 48, 96);
      const std::string where = std::string(name(kind)) + " on " + std::to_string(N);
      const tensor::Bound bound = feed_forward_bound(48, 96, doubles.w2.cwiseAbs().maxCoeff());
      worst.expect(
          support::compare_by_magnitude(floats.plain(feed_forward_cpu<float>, kind).cast<double>().eval(),
                                        doubles.plain(feed_forward_ref, kind),
                                        doubles.plain(feed_forward_magnitude, kind), bound),
          where);
      worst.expect(support::compare_by_magnitude(
                       floats.gated(gated_feed_forward_cpu<float>, kind).cast<double>().eval(),
                       doubles.gated(gated_feed_forward_ref, kind),
                       doubles.gated(gated_feed_forward_magnitude, kind), bound),
                   "gated " + where);
    }
}

// One hidden number, f(v) or f(v)·u, made large by the second matrix: of what is subnormal nothing is left, on every
// processor, and of what is not it all is. NaN stays NaN.
TEST(FeedForward, NothingSubnormalLeavesTheHiddenLayer) {
  constexpr float large = 0x1p60F;
  const auto through = [&](Kind kind, float v, std::optional<float> u) {
    const float one = 1, up = u.value_or(0);
    float y = 0;
    const View<const float> x(&one, 1, 1), w1(&v, 1, 1), w2(&large, 1, 1), passed(&up, 1, 1);
    const View<float> to(&y, 1, 1);
    if (u)
      gated_feed_forward_cpu<float>(x, {.gate = w1, .up = passed, .down = w2}, kind, to);
    else
      feed_forward_cpu<float>(x, {.w1 = w1, .w2 = w2}, kind, to);
    return y;
  };
  // GELU(−13.5) = −1.0e−40, GELU(−12.5) = −4.7e−35; of ELU (its own loop in double) e^v − 1 ≈ v.
  EXPECT_EQ(through(Kind::gelu, -13.5F, {}), 0);
  EXPECT_NEAR(through(Kind::gelu, -12.5F, {}) / (-12.5 * std::erfc(12.5 / std::sqrt(2.0)) / 2 * large), 1,
              1e-5);
  EXPECT_EQ(through(Kind::relu, 0x1p-127F, {}), 0);
  EXPECT_EQ(through(Kind::relu, 0x1p-125F, {}), 0x1p-65F);
  EXPECT_EQ(through(Kind::silu, 0x1.8p-126F, {}), 0);
  EXPECT_EQ(through(Kind::gelu_tanh, -0x1.8p-126F, {}), 0);
  EXPECT_EQ(through(Kind::elu, -0x1p-127F, {}), 0);
  EXPECT_EQ(through(Kind::elu, -0x1p-125F, {}), -0x1p-65F);
  EXPECT_EQ(through(Kind::silu, 1, 0x1p-127F), 0);
  EXPECT_NE(through(Kind::silu, 1, 0x1p-125F), 0);
  EXPECT_EQ(through(Kind::elu, 1, 0x1p-127F), 0);
  EXPECT_TRUE(std::isnan(through(Kind::gelu, std::numeric_limits<float>::quiet_NaN(), {})));
}

// Shazeer's figure: three matrices of width 2/3 · 4d cost what two of width 4d do (3072 → 2048, LLaMA's 11008 is the
// same, rounded up to 256).
TEST(FeedForward, AGatedNetworkOfTwoThirdsCostsAsMuch) {
  const auto plain = [](Index D, Index F) { return 2 * D * F; };
  const auto gated = [](Index D, Index F) { return 3 * D * F; };
  EXPECT_EQ(plain(768, 3072), gated(768, 2048));
  EXPECT_EQ((4096 * 4 * 2 / 3 + 255) / 256 * 256, 11008);
}

// relu is positively homogeneous: 2x with doubled biases inside gives twice the network, exactly in binary.
TEST(FeedForward, ReluNetworksScaleWithTheirInput) {
  Network<double> network(5, 16, 32);
  network.b2.clear();
  const Matrix<double> once = network.plain(feed_forward_ref, Kind::relu);
  network.x *= 2;
  for (double& b : network.b1) b *= 2;
  EXPECT_EQ(network.plain(feed_forward_ref, Kind::relu), 2 * once);
}

TEST(FeedForward, TheGatedOneIsAGluBetweenTwoMatrices) {
  const Network<double> network(5, 16, 32);
  Matrix<double> halves(5, 64), hidden(5, 32);
  halves << network.x * network.w1, network.x * network.up;
  glu_ref(halves, {.gate = Kind::gelu_tanh, .gated = Half::first}, hidden);
  const Matrix<double> y = network.gated(gated_feed_forward_ref, Kind::gelu_tanh),
                       expected = hidden * network.w2;
  // Sums of 16 and of 32 products in another order, and terms of up to a hundred that cancel.
  EXPECT_TRUE(y.isApprox(expected, 1e-14));
}

TEST(FeedForward, StagedInDoubleIsTheReferenceAndInBf16IsNot) {
  const Network<double> network(3, 16, 32);
  const auto staged = [](Format storage, Format accumulate) {
    return [=](auto x, const auto& weights, const auto& params, auto y) {
      const tensor::Precision precision{storage, accumulate};
      if constexpr (requires { weights.gate; })
        gated_feed_forward_staged(x, weights, params, precision, y);
      else
        feed_forward_staged(x, weights, params, precision, y);
    };
  };
  const Matrix<double> plain = network.plain(feed_forward_ref, Kind::gelu),
                       gated = network.gated(gated_feed_forward_ref, Kind::silu);
  EXPECT_EQ(network.plain(staged(Format::f64, Format::f64), Kind::gelu), plain);
  EXPECT_EQ(network.gated(staged(Format::f64, Format::f64), Kind::silu), gated);
  const Matrix<double> narrow = network.plain(staged(Format::bf16, Format::f32), Kind::gelu);
  for (const double v : narrow.reshaped()) EXPECT_EQ(v, tensor::round_to(Format::bf16, v));
  // Each of inputs, weights, hidden values and results is off by 2⁻⁹ of itself on average; sums of 32 spread that.
  EXPECT_LT((narrow - plain).norm() / plain.norm(), 0x1p-6);
  EXPECT_GT((narrow - plain).norm() / plain.norm(), 0x1p-12);
}

TEST(FeedForward, EmptyAxes) {
  const Network<float> none(0, 8, 4);
  EXPECT_EQ(none.plain(feed_forward_cpu<float>, Kind::relu).size(), 0);
  const Network<float> shallow(2, 3, 0);  // nothing hidden: the second bias alone
  EXPECT_EQ(shallow.plain(feed_forward_cpu<float>, Kind::relu), (Matrix<float>::Constant(2, 3, -0.25f)));
  EXPECT_EQ(shallow.gated(gated_feed_forward_cpu<float>, Kind::silu), (Matrix<float>::Zero(2, 3)));
}

}  // namespace
}  // namespace orrery::activation::feed_forward_test
