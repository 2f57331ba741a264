#include "core/attention/scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::attention::scores_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double masked = -std::numeric_limits<double>::infinity();

const Mask none{}, causal{Mask::Kind::causal};
Mask sliding(Index window) {
  return {Mask::Kind::sliding, window};
}

Matrix<double> reference(const Matrix<double>& q, const Matrix<double>& k, const ScoresParams& params = {}) {
  Matrix<double> s(q.rows(), k.rows());
  scores_ref(q, k, params, s);
  return s;
}

template <class T>
Matrix<T> twin(const Matrix<double>& q, const Matrix<double>& k, const ScoresParams& params = {}) {
  const Matrix<T> queries = q.cast<T>(), keys = k.cast<T>();
  GuardedMatrix<T> out(q.rows(), k.rows());
  scores_cpu<T>(queries, keys, params, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

TEST(Scores, TheDefaultScaleIsOneOverTheRootOfTheWidth) {
  const Matrix<double> q = Matrix<double>::Constant(1, 64, 2), k = Matrix<double>::Constant(1, 64, 3);
  EXPECT_EQ(reference(q, k)(0, 0), 64 * 6 / 8.0);
  EXPECT_EQ(twin<float>(q, k)(0, 0), 48);
  EXPECT_EQ(reference(q, k, {.scale = 0.5, .mask = {}})(0, 0), 192);
  EXPECT_EQ(twin<float>(q, k, {.scale = 0.5, .mask = {}})(0, 0), 192);
  // DeepSeek-V3: 192 wide, before its own factor.
  const double published = support::reference_values().at("deepseek_softmax_scale").at("v3").at("base_scale");
  EXPECT_TRUE(support::close(scores_scale({}, 192), published, 2e-16));
}

TEST(Scores, UnitNormalsHaveUnitVariance) {
  // Var(q·k) = d for independent unit normals (Vaswani et al., footnote 4); 40000 correlated samples, so 5 %.
  const Matrix<double> s = reference(support::normal_floats(200, 64, 1), support::normal_floats(200, 64, 2));
  EXPECT_NEAR(s.squaredNorm() / double(s.size()), 1, 0.05);
}

TEST(Scores, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("scores"), worst_double("scores in double");
  for (Index d : support::input_sizes()) {
    for (const auto& set : support::input_sets()) {
      const Matrix<double> q = set.make(5, d), k = set.make(9, d);
      for (const Mask& mask : {none, causal, sliding(3)}) {
        const ScoresParams params{.scale = {}, .mask = mask};
        const std::string where = std::string(set.name) + " × " + std::to_string(d);
        const Matrix<double> r = reference(q, k, params);
        worst.expect(support::compare(View<const float>(twin<float>(q, k, params)), r, scores_bound(d)),
                     where);
        worst_double.expect(
            support::compare(View<const double>(twin<double>(q, k, params)), r,
                             {.rel = 1e-15, .nmse = 1e-24, .row = scores_bound(d).row}, tensor::Format::f64),
            where);
      }
    }
  }
}

// The rule that holds for every input, even where all scores of a row cancel: an error relative to
// scale·Σ|q_j k_j|.
TEST(Scores, ErrorsAreSmallBesideTheSumOfMagnitudes) {
  const Matrix<double> q = support::normal_floats(70, 1000, 1), k = support::normal_floats(90, 1000, 2);
  const Matrix<double> r = reference(q, k), size = reference(q.cwiseAbs(), k.cwiseAbs());
  const Matrix<double> error = (twin<float>(q, k).cast<double>() - r).cwiseAbs();
  // Rounded once, and the sum in double: 2⁻²⁴|s| + 1000 · 2⁻⁵³ · size.
  EXPECT_LE((error.array() - 0x1p-24 * r.cwiseAbs().array() - 1000 * 0x1p-52 * size.array()).maxCoeff(), 0);
  EXPECT_LE((error.array() - scores_gpu_bound(1000) * size.array()).maxCoeff(), 0);
}

TEST(Scores, MasksHideWhatTheySay) {
  // 7 queries beside the last of 10 keys: query t stands at position t + 3.
  const Matrix<double> q = support::normal_floats(7, 4, 1), k = support::normal_floats(10, 4, 2);
  const Matrix<double> open = reference(q, k);
  for (const Mask& mask : {none, causal, sliding(1), sliding(3), sliding(10), sliding(Index{1} << 62)}) {
    const Matrix<double> r = reference(q, k, {.scale = {}, .mask = mask}), y = twin<double>(q, k, {{}, mask});
    for (Index t = 0; t < 7; ++t)
      for (Index n = 0; n < 10; ++n) {
        const Index distance = t + 3 - n;
        const Index width = mask.kind == Mask::Kind::sliding ? mask.window : 1000;
        const bool seen = mask.kind == Mask::Kind::none || (distance >= 0 && distance < width);
        EXPECT_EQ(r(t, n), seen ? open(t, n) : masked);
        EXPECT_EQ(y(t, n) == masked, !seen);
      }
  }
}

TEST(Scores, ASlidingWindowCountsTheTokenItself) {
  const Matrix<double> x = support::normal_floats(6, 4);
  for (Index t = 0; t < 6; ++t) {
    Index seen_by_one = 0, seen_by_four = 0;
    const Matrix<float> one = twin<float>(x, x, {{}, sliding(1)}), four = twin<float>(x, x, {{}, sliding(4)});
    for (Index n = 0; n < 6; ++n) {
      seen_by_one += one(t, n) != float(masked);
      seen_by_four += four(t, n) != float(masked);
    }
    EXPECT_EQ(seen_by_one, 1);
    EXPECT_NE(one(t, t), float(masked));
    EXPECT_EQ(seen_by_four, std::min<Index>(t + 1, 4));
  }
}

TEST(Scores, QueriesBeforeTheFirstKeySeeNothing) {
  // More queries than keys: the first two stand before every key.
  const Matrix<double> q = support::normal_floats(5, 8, 1), k = support::normal_floats(3, 8, 2);
  for (const Mask& mask : {causal, sliding(2)}) {
    const Matrix<double> r = reference(q, k, {{}, mask});
    const Matrix<float> y = twin<float>(q, k, {{}, mask});
    for (Index n = 0; n < 3; ++n)
      for (Index t : {0, 1}) EXPECT_TRUE(r(t, n) == masked && y(t, n) == float(masked));
    EXPECT_NE(y(2, 0), float(masked));
  }
}

TEST(Scores, NanStaysInItsRowOrColumn) {
  Matrix<double> q = support::normal_floats(70, 16, 1), k = support::normal_floats(70, 16, 2);
  q(3, 2) = nan;
  k(40, 15) = nan;
  for (const Mask& mask : {none, causal}) {
    const Matrix<double> r = reference(q, k, {{}, mask});
    const Matrix<float> y = twin<float>(q, k, {{}, mask});
    for (Index t = 0; t < 70; ++t)
      for (Index n = 0; n < 70; ++n) {
        const bool expected = mask.allows(t, n, 70, 70) && (t == 3 || n == 40);
        EXPECT_EQ(std::isnan(r(t, n)), expected);
        EXPECT_EQ(std::isnan(y(t, n)), expected);
      }
  }
}

TEST(Scores, EdgesOfTheShapes) {
  const Matrix<double> none_wide(3, 0), four_wide(4, 0);
  EXPECT_EQ(reference(none_wide, four_wide), Matrix<double>::Zero(3, 4));
  EXPECT_EQ(twin<float>(none_wide, four_wide), Matrix<float>::Zero(3, 4));
  EXPECT_EQ(twin<float>(none_wide, none_wide, {{}, causal})(0, 1), float(masked));
  EXPECT_EQ(twin<float>(Matrix<double>(0, 8), support::normal_floats(4, 8)).size(), 0);
  EXPECT_EQ(twin<float>(support::normal_floats(4, 8), Matrix<double>(0, 8)).size(), 0);
}

TEST(Scores, BlocksAndThreadsChangeNothing) {
  const Matrix<double> q = support::normal_floats(200, 33, 1), k = support::normal_floats(300, 33, 2);
  for (const Mask& mask : {none, causal, sliding(50)}) {
    const ScoresParams params{{}, mask};
    EXPECT_TRUE(support::within(support::compare(View<const float>(twin<float>(q, k, params)),
                                                 reference(q, k, params), scores_bound(33))));
  }
}

TEST(Scores, AWindowThatSeesNothingIsRefused) {
  const Matrix<double> x = support::normal_floats(2, 4);
  EXPECT_THROW(twin<float>(x, x, {{}, sliding(0)}), InvalidArgument);
  try {
    reference(x, x, {{}, sliding(0)});
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "sliding window: found 0, allowed: at least 1 (the token itself)");
  }
}

}  // namespace
}  // namespace orrery::attention::scores_test
