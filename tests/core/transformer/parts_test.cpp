// The two parts of a gradient in front of a residual sum: together what the block's backward pass gives, apart what the
// formulas say.
#include <gtest/gtest.h>

#include <cmath>

#include "core/tensor/random.h"
#include "tests/core/transformer/models.h"

namespace orrery::transformer::parts_test {
namespace {

using Doubles = Matrix<double>;

/// One block of random tokens, gone through forwards.
struct OneBlock {
  OneBlock(Placement placement, double alpha, NormKind norm = NormKind::layer) {
    Config config = tiny();
    config.placement = placement;
    config.norm.kind = norm;
    BlockConfig own = decoder_config(resolved(config)).block;
    own.alpha = alpha;
    block = Block<double>::make(layout, "block", own);
    values = scattered_values(layout, 0.8);
    in.itself.sequences = 2;
    in.itself.queries = in.itself.keys = 5;
    block.forward(values, x, in, tape);
  }

  /// Both sums by parts, from the top: g, then the middle, then the input.
  Doubles by_parts(const Doubles& g) {
    Doubles identity = g, branch = g;
    block.backward_in_parts(values, Sublayer::feed_forward, x, in, tape, g, scratch, identity, branch);
    const Doubles middle = identity + branch;
    block.backward_in_parts(values, Sublayer::self_attention, x, in, tape, middle, scratch, identity, branch);
    return identity + branch;
  }
  Doubles backward(Doubles g, Gradient<double> gradient) {
    block.backward(values, x, in, tape, gradient, scratch, g, {}, {});
    return g;
  }

  Layout layout;
  Block<double> block;
  std::vector<double> values;
  Doubles x = tensor::Random(3).normals(10, 8), g = tensor::Random(4).normals(10, 8);
  BlockInputs<double> in;
  BlockTape<double> tape;
  BlockScratch<double> scratch;
};

constexpr Placement in_a_row[] = {Placement::post, Placement::pre, Placement::sandwich, Placement::output,
                                  Placement::deep_norm};

TEST(GradientInParts, AddsUpToTheBackwardPass) {
  for (const Placement placement : in_a_row)
    for (const double alpha : {1.0, 0.0, 1.7})
      for (const NormKind norm : {NormKind::layer, NormKind::rms}) {
        OneBlock one(placement, alpha, norm);
        std::vector<double> gradient(one.values.size());
        const Doubles whole = one.backward(one.g, gradient);
        // A sum of two numbers that are rounded alike: the last bit of αg where the sum is fused.
        EXPECT_LE((one.by_parts(one.g) - whole).cwiseAbs().maxCoeff(), 1e-14 * whole.cwiseAbs().maxCoeff())
            << static_cast<int>(placement) << " " << alpha;
      }
}

TEST(GradientInParts, WithoutAGradientOfWhatIsLearnedTheWayBackIsTheSame) {
  for (const Placement placement : in_a_row) {
    OneBlock one(placement, 1.3);
    std::vector<double> gradient(one.values.size());
    EXPECT_EQ(one.backward(one.g, gradient), one.backward(one.g, {}));
  }
}

// In front of a sum without a norm behind it: α times the gradient, to the bit.
TEST(GradientInParts, TheIdentityIsAlphaWhereNoNormStandsBehindTheSum) {
  for (const Placement placement : {Placement::pre, Placement::sandwich, Placement::output}) {
    OneBlock one(placement, 1.7);
    Doubles identity = one.g, branch = one.g;
    for (const Sublayer which : {Sublayer::feed_forward, Sublayer::self_attention}) {
      one.block.backward_in_parts(one.values, which, one.x, one.in, one.tape, one.g, one.scratch, identity,
                                  branch);
      EXPECT_EQ(identity, 1.7 * one.g);
      EXPECT_GT(branch.norm(), 0);
    }
  }
}

// With one: α J g, J = (I − 11ᵀ/D − x̂x̂ᵀ/D) diag(γ)/√(σ² + ε), written out here.
TEST(GradientInParts, TheIdentityHasTheJacobianOfANormBehindTheSum) {
  OneBlock one(Placement::deep_norm, 1.7);
  Doubles identity = one.g, branch = one.g;
  one.block.backward_in_parts(one.values, Sublayer::feed_forward, one.x, one.in, one.tape, one.g, one.scratch,
                              identity, branch);
  const Doubles& sum = one.tape.feed_forward_residual.sum;
  const auto gain =
      one.layout.find("block.feed_forward.norm_after.weight")->slot.numbers(Values<double>(one.values));
  for (Index t = 0; t < sum.rows(); ++t) {
    const Eigen::RowVectorXd centred = (sum.row(t).array() - sum.row(t).mean()).matrix();
    const double s = std::sqrt(centred.squaredNorm() / 8 + 1e-5);
    const Eigen::RowVectorXd x_hat = centred / s;
    Eigen::RowVectorXd ghat(8);
    for (Index j = 0; j < 8; ++j) ghat[j] = gain[static_cast<std::size_t>(j)] * one.g(t, j);
    const Eigen::RowVectorXd expected =
        1.7 / s * ((ghat.array() - ghat.mean()).matrix() - x_hat * ghat.dot(x_hat) / 8);
    EXPECT_LE((identity.row(t) - expected).cwiseAbs().maxCoeff(), 1e-14) << t;
  }
}

}  // namespace
}  // namespace orrery::transformer::parts_test
