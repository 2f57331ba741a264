// What a mask or padding hides takes no part in a derivative either, whatever stands there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/attention/attention_vjp.h"
#include "core/attention/scores_vjp.h"
#include "core/tensor/random.h"

namespace orrery::attention::hidden_gradient_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr Index queries = 4, keys = 6, width = 3;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

Matrix<double> normals(Index rows, std::uint64_t seed) {
  const tensor::Random random(seed);
  Matrix<double> m(rows, width);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  return m;
}

struct Inputs {
  Matrix<double> q = normals(queries, 1), k = normals(keys, 2), v = normals(keys, 3), g = normals(queries, 4);
};

struct Gradients {
  Matrix<double> dq{queries, width}, dk{keys, width}, dv{keys, width};
};

Gradients gradients(const Inputs& x, const ScoresParams& scores) {
  Gradients d;
  Matrix<double> none;
  attention_vjp<double>(x.q, x.k, x.v, {.scores = scores, .softmax = {}}, none, x.g,
                        {d.dq, d.dk, d.dv, none});
  return d;
}

/// Sums of a few products of about 1, in another order.
void expect_near(const Matrix<double>& found, const Matrix<double>& right) {
  ASSERT_TRUE(found.allFinite());
  EXPECT_LE((found - right).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(HiddenGradient, OfPaddingIsNothingWhateverStandsThere) {
  const std::vector<std::uint8_t> padding{1, 1, 0, 1, 1, 0};
  const ScoresParams params{.padding = padding};
  const Gradients right = gradients({}, params);
  for (const double odd : {nan, infinity, -infinity}) {
    Inputs x;
    for (const Index hidden : {2, 5}) {
      x.k.row(hidden).setConstant(odd);
      x.v.row(hidden).setConstant(odd);
    }
    const Gradients found = gradients(x, params);
    expect_near(found.dq, right.dq);
    expect_near(found.dk, right.dk);
    expect_near(found.dv, right.dv);
    for (const Index hidden : {2, 5})
      EXPECT_TRUE(found.dk.row(hidden).isZero(0) && found.dv.row(hidden).isZero(0));
  }
}

TEST(HiddenGradient, OfALaterKeyIsTheAffairOfThoseWhoSeeIt) {
  const ScoresParams params{.mask = {.kind = Mask::Kind::causal}};
  const Gradients right = gradients({}, params);
  Inputs x;
  x.k.row(keys - 1).setConstant(nan);
  const Gradients found = gradients(x, params);
  expect_near(found.dq.topRows(queries - 1), right.dq.topRows(queries - 1));
  EXPECT_TRUE(found.dq.row(queries - 1).array().isNaN().all());
}

TEST(HiddenGradient, OfScoresIsThatOfWhatIsSeen) {
  const ScoresParams params{.mask = {.kind = Mask::Kind::causal}};
  Inputs x;
  Matrix<double> g = Matrix<double>::Ones(queries, keys), none, dq(queries, width), dk(keys, width);
  scores_vjp<double>(x.q, x.k, params, g, dq, dk, none);
  const Matrix<double> right = dq;
  x.k.row(keys - 1).setConstant(infinity);
  g.col(keys - 1).head(queries - 1).setConstant(nan);  // hidden: not read
  scores_vjp<double>(x.q, x.k, params, g, dq, dk, none);
  expect_near(dq.topRows(queries - 1), right.topRows(queries - 1));
  EXPECT_FALSE(dq.row(queries - 1).allFinite());
  EXPECT_TRUE(dk.allFinite());
}

}  // namespace
}  // namespace orrery::attention::hidden_gradient_test
