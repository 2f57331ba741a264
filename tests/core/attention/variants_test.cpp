// Caps, log n, prefixes, padding, biases and sinks: published numbers and closed forms, for ref and cpu alike.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/attention/scores.h"
#include "core/attention/scores_vjp.h"
#include "core/attention/softmax.h"
#include "core/attention/softmax_vjp.h"
#include "core/tensor/error.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::attention::variants_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double masked = -std::numeric_limits<double>::infinity();

/// From ref and from cpu in double, which may differ by the order of the sums.
Matrix<double> scores(const Matrix<double>& q, const Matrix<double>& k, const ScoresParams& params,
                      const Matrix<double>& bias = {}) {
  Matrix<double> s(q.rows(), k.rows()), fast(q.rows(), k.rows());
  scores_ref(q, k, params, s, bias);
  scores_cpu<double>(q, k, params, fast, bias);
  for (Index i = 0; i < s.size(); ++i) {
    const double a = s.data()[i], b = fast.data()[i];
    EXPECT_TRUE(a == b || std::abs(a - b) <= 1e-14 * (1 + std::abs(a))) << a << " and " << b;
  }
  return s;
}

/// One query and one key of width 1 whose product is x.
double capped(double x, double cap) {
  return scores(Matrix<double>::Constant(1, 1, x), Matrix<double>::Ones(1, 1), {.cap = cap})(0, 0);
}

TEST(ScoreVariants, TheSoftCapIsThePublishedOne) {
  const auto& published = support::reference_values().at("attention").at("softcap_50");
  for (const auto& [x, y] : published.items())
    EXPECT_TRUE(support::close(capped(std::stod(x), 50), y.get<double>(), 1e-14)) << x;  // given to 15 digits
  EXPECT_EQ(capped(-1e300, 50), -50);
}

TEST(ScoreVariants, LogNIsThePublishedOne) {
  for (const auto& [n, factor] :
       support::reference_values().at("attention").at("logn_scale_base512").items()) {
    const LogN log_n{.trained = 512};
    EXPECT_TRUE(support::close(log_n.factor(std::stol(n)), factor.get<double>(), 1e-14)) << n;
    EXPECT_EQ((LogN{.trained = 512, .clipped = true}.factor(std::stol(n))),
              std::max(1.0, log_n.factor(std::stol(n))));
  }
  // What is padding is seen by nobody: the same sentence, padded further, has the same scores.
  const Matrix<double> q = support::normal_floats(4, 8, 1), k = support::normal_floats(6, 8, 2);
  const std::vector<std::uint8_t> padding{1, 1, 1, 1, 0, 0};
  const ScoresParams counted{.log_n = LogN{.trained = 16}};
  ScoresParams padded = counted;
  padded.padding = padding;
  EXPECT_EQ(scores(q, k, padded).leftCols(4), scores(q, k.topRows(4), counted));
  Matrix<double> g = support::normal_floats(4, 6, 3), dq(4, 8), dk(6, 8), dq_short(4, 8), dk_short(4, 8),
                 none;
  scores_vjp<double>(q, k, padded, g, dq, dk, none);
  scores_vjp<double>(q, Matrix<double>(k.topRows(4)), counted, Matrix<double>(g.leftCols(4)), dq_short,
                     dk_short, none);
  EXPECT_LT((dq - dq_short).cwiseAbs().maxCoeff(), 1e-14);
  // A causal query counts the keys that it sees: its position, and one.
  const Matrix<double> ones = Matrix<double>::Ones(9, 1);
  const Matrix<double> s = scores(ones, ones, {.mask = {Mask::Kind::causal}, .log_n = LogN{.trained = 3}});
  EXPECT_EQ(s(0, 0), 0);
  EXPECT_TRUE(support::close(s(8, 4), 2, 1e-15));  // ln 9/ln 3
}

TEST(ScoreVariants, APrefixIsSeenByAll) {
  const Matrix<double> x = support::normal_floats(6, 4);
  const Mask prefix{.kind = Mask::Kind::prefix, .prefix = 3};
  const Matrix<double> s = scores(x, x, {.mask = prefix});
  for (Index t = 0; t < 6; ++t)
    for (Index n = 0; n < 6; ++n) EXPECT_EQ(s(t, n) == masked, n >= 3 && n > t) << t << " " << n;
  // Nothing is a causal mask, everything is none.
  const Mask nothing{.kind = Mask::Kind::prefix}, everything{.kind = Mask::Kind::prefix, .prefix = 100};
  EXPECT_EQ(scores(x, x, {.mask = nothing}), scores(x, x, {.mask = {Mask::Kind::causal}}));
  EXPECT_EQ(scores(x, x, {.mask = everything}), scores(x, x, {}));
  EXPECT_THROW(scores(x, x, {.mask = {.kind = Mask::Kind::prefix, .prefix = -1}}), InvalidArgument);
}

TEST(ScoreVariants, PaddingHidesKeysFromAll) {
  const Matrix<double> x = support::normal_floats(4, 4);
  const std::vector<std::uint8_t> padding{0, 1, 1, 0};
  const Matrix<double> s = scores(x, x, {.padding = padding}), open = scores(x, x, {});
  EXPECT_TRUE((s.col(0).array() == masked).all() && (s.col(3).array() == masked).all());
  EXPECT_EQ(s.middleCols(1, 2), open.middleCols(1, 2));
  EXPECT_THROW(scores(x, support::normal_floats(3, 4), {.padding = padding}), InvalidArgument);
}

TEST(ScoreVariants, ABiasIsAddedAfterTheCap) {
  const Matrix<double> q = Matrix<double>::Constant(1, 1, 1e6), k = Matrix<double>::Ones(2, 1);
  Matrix<double> bias(1, 2);
  bias << 7, -3;
  const Matrix<double> s = scores(q, k, {.cap = 50}, bias);
  EXPECT_EQ(s(0, 0), 57);
  EXPECT_EQ(s(0, 1), 47);
}

TEST(SoftmaxVariants, ASinkIsALogitWithoutAColumn) {
  const Matrix<double> x = support::normal_floats(5, 33);
  Matrix<double> wide(5, 34), y(5, 33), all(5, 34);
  wide << x, Matrix<double>::Constant(5, 1, 0.75);
  for (const double temperature : {1.0, 0.3}) {
    softmax_ref(wide, {.temperature = temperature}, all);
    softmax_ref(x, {.temperature = temperature, .sink = 0.75}, y);
    EXPECT_LT((y - all.leftCols(33)).cwiseAbs().maxCoeff(), 1e-15);
    softmax_cpu<double>(x, {.temperature = temperature, .sink = 0.75}, y);
    EXPECT_LT((y - all.leftCols(33)).cwiseAbs().maxCoeff(), 1e-15);
    const Matrix<float> in = x.cast<float>();
    Matrix<float> out(5, 33);
    softmax_cpu<float>(in, {.temperature = temperature, .sink = 0.75}, out);
    EXPECT_TRUE(support::within(
        support::compare(View<const float>(out), all.leftCols(33).eval(), softmax_bound(33))));
  }
}

TEST(SoftmaxVariants, OneAtLeastMayBeKeptBack) {
  // Softmax plus one: with every logit far below 0 nothing is attended to, and a masked row still gives zeros.
  Matrix<double> x = Matrix<double>::Constant(2, 4, -50), y(2, 4);
  x.row(1).setConstant(masked);
  softmax_cpu<double>(x, {.sink = 0}, y);
  EXPECT_TRUE(support::close(y(0, 0), 1.9287498479639178e-22, 1e-14));  // e⁻⁵⁰/(1 + 4 e⁻⁵⁰)
  EXPECT_EQ(y.row(1), (Matrix<double>::Zero(1, 4)));
  EXPECT_THROW(softmax_cpu<double>(x, {.sink = masked}, y), InvalidArgument);
}

TEST(SoftmaxVariants, AShiftHasNoGradient) {
  // y forgets a shift of x, so dx sums to 0; with a sink it does not.
  const Matrix<double> x = support::normal_floats(3, 20, 1), g = support::normal_floats(3, 20, 2);
  Matrix<double> dx(3, 20);
  softmax_vjp<double>(x, {}, g, dx);
  EXPECT_LT(dx.rowwise().sum().cwiseAbs().maxCoeff(), 1e-16 * 20);
  softmax_vjp<double>(x, {.sink = 2}, g, dx);
  EXPECT_GT(dx.rowwise().sum().cwiseAbs().minCoeff(), 1e-4);
}

// One minus the sum of the weights has no digit of it left.
TEST(SoftmaxVariants, ASinkThatTakesLittleHasADerivative) {
  Matrix<double> x(1, 3), y(1, 3);
  x << 30, 0, -3;
  const Matrix<double> g = Matrix<double>::Ones(1, 3);
  for (const double sink : {-3.0, -10.0, -600.0}) {
    const SoftmaxParams params{.sink = sink};
    softmax_cpu<double>(x, params, y);
    const double taken = std::exp(sink - 30) / (1 + std::exp(-30) + std::exp(-33));
    EXPECT_TRUE(support::close(softmax_sink_vjp(y, softmax_sink_weights(x, params), 1, g), -taken, 1e-14))
        << sink;
  }
}

/// Entropies of rows of independent normal logits: their mean, and its standard error.
struct Entropy {
  double mean, error;
};
Entropy entropy(Index rows, Index keys, double sigma) {
  Matrix<double> p(rows, keys);
  const Matrix<double> x = sigma * support::normal_floats(rows, keys, 7);
  softmax_ref(x, {}, p);
  Eigen::ArrayXd h = Eigen::ArrayXd::Zero(rows);
  for (Index i = 0; i < rows; ++i)
    for (const double v : View<double>(p).row(i))
      if (v > 0) h(i) -= v * std::log(v);
  const double mean = h.mean(), variance = (h - mean).square().sum() / static_cast<double>(rows - 1);
  return {mean, std::sqrt(variance / static_cast<double>(rows))};
}

TEST(SoftmaxEntropy, OfGaussianLogitsIsThePublishedOne) {
  // Means of 2000 rows that another program drew, given to 4 digits: ours and theirs are each off by a standard error,
  // ours over 400 rows, theirs √5 smaller. Four of both together fail once in 16000.
  const auto& published =
      support::reference_values().at("attention").at("gaussian_logit_entropy_mc_2000_trials");
  for (const Index n : {64, 512, 4096})
    for (const auto& [name, sigma] : {std::pair{"0.5", 0.5}, {"1", 1.0}, {"2", 2.0}, {"3", 3.0}}) {
      const auto& row =
          published.at(std::string("n").append(std::to_string(n)).append("_sigma").append(name));
      const Entropy ours = entropy(400, n, sigma);
      EXPECT_NEAR(ours.mean, row.at("mc_mean_entropy").get<double>(), 4 * ours.error * std::sqrt(1.2) + 5e-5)
          << n << ", sigma " << name;
    }
}

TEST(SoftmaxEntropy, FollowsTheLawUntilItFreezes) {
  // H = ln n − σ²/2 below σ = √(2 ln n), in the limit of many keys: what is missing shrinks with n. Beyond it the law
  // is negative, and the entropy is that of a few keys: without 1/√d, logits of width 64 have σ = 8.
  const auto missing = [](Index n, double sigma) {
    return entropy(200, n, sigma).mean - (std::log(static_cast<double>(n)) - sigma * sigma / 2);
  };
  EXPECT_GT(missing(64, 2), 2 * missing(512, 2));
  EXPECT_GT(missing(512, 2), 2 * missing(4096, 2));
  EXPECT_LT(std::abs(missing(4096, 1)), 0.005);
  const auto& freezing = support::reference_values().at("attention").at("sigma_c");
  for (const Index n : {512, 4096}) {
    EXPECT_TRUE(support::close(std::sqrt(2 * std::log(static_cast<double>(n))),
                               freezing.at(std::to_string(n)).get<double>(), 1e-14));
    EXPECT_LT(entropy(200, n, 8).mean, 1);  // fewer than e keys share the weight
  }
}

}  // namespace
}  // namespace orrery::attention::variants_test
