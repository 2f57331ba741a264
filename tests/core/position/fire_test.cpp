// FIRE: its normalised distance, a network worked out by hand, and derivatives against central differences.
#include "core/position/fire.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::position::fire_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

std::vector<double> vector_of(Index count, unsigned stream) {
  const Matrix<double> m = support::normal_floats(1, count, stream);
  return {m.data(), m.data() + m.size()};
}

FireWeights weights_of(Index width, Index heads, bool deep) {
  FireWeights w{.w_in = vector_of(width, 1),
                .b_in = vector_of(width, 2),
                .w_out = support::normal_floats(heads, width, 3),
                .b_out = vector_of(heads, 4)};
  if (deep) {
    w.w_mid = support::normal_floats(width, width, 5) / std::sqrt(static_cast<double>(width));
    w.b_mid = vector_of(width, 6);
  }
  return w;
}

Matrix<double> reference(const FireWeights& w, const FireParams& params, Index length) {
  Matrix<double> y(w.heads() * length, length);
  fire_ref(w, params, y);
  return y;
}

TEST(Fire, DistancesFillTheSameRangeAtEveryLength) {
  const FireParams params;
  EXPECT_EQ(fire_distance(0, 0, params), 0);
  EXPECT_EQ(fire_distance(5000, 0, params), 1);  // the first key, for a query beyond the threshold
  EXPECT_EQ(fire_distance(512, 0, params), 1);
  // mpmath: log(1 + 0.1*20) / log(1 + 0.1*512)
  EXPECT_NEAR(fire_distance(30, 10, params), 0.2777722816370877, 1e-16);
  for (Index m = 0; m < 600; m += 7) {
    for (Index n = 0; n <= m; n += 5) {
      EXPECT_GE(fire_distance(m, n, params), 0);
      EXPECT_LE(fire_distance(m, n, params), 1);
    }
  }
}

TEST(Fire, ANetworkByHand) {
  // Two units, u and 1 − 2u where that is positive; heads 3u + 0.5 and −(1 − 2u)₊.
  FireWeights w{.w_in = {1, -2}, .b_in = {0, 1}, .w_out = Matrix<double>(2, 2), .b_out = {0.5, 0}};
  w.w_out << 3, 0, 0, -1;
  const FireParams params{.c = 1, .threshold = 3};  // ψ(3) = ln 4
  const Matrix<double> y = reference(w, params, 4);
  EXPECT_EQ(y(3, 3), 0.5);
  EXPECT_NEAR(y(3, 2), 3 * 0.5 + 0.5, 1e-15);  // ln 2 / ln 4
  EXPECT_NEAR(y(3, 0), 3.5, 1e-15);
  EXPECT_EQ(y(4 + 3, 3), -1);
  EXPECT_NEAR(y(4 + 3, 2), 0, 1e-15);
  EXPECT_EQ(y(1, 2), -std::numeric_limits<double>::infinity());
  // A second layer that passes everything on changes nothing.
  w.w_mid = Matrix<double>::Identity(2, 2);
  w.b_mid = {0, 0};
  EXPECT_EQ(reference(w, params, 4), y);
}

TEST(Fire, CpuIsWithinItsBound) {
  for (const bool deep : {false, true}) {
    for (const Direction direction : {Direction::causal, Direction::bidirectional}) {
      const FireWeights w = weights_of(32, 4, deep);
      const FireParams params{.threshold = 10, .direction = direction};
      const Matrix<double> r = reference(w, params, 40);
      support::GuardedMatrix<float> y(4 * 40, 40);
      fire_cpu<float>(w, params, y.view());
      EXPECT_TRUE(y.intact());
      EXPECT_TRUE(support::within(support::compare(View<const float>(y.view()), r, relative_bias_bound)));
      support::GuardedMatrix<double> z(4 * 40, 40);
      fire_cpu<double>(w, params, z.view());
      EXPECT_EQ(Matrix<double>(z.view().eigen()), r);  // the same sums in the same order
    }
  }
}

TEST(Fire, DerivativesAgreeWithCentralDifferences) {
  for (const bool deep : {false, true}) {
    FireWeights w = weights_of(8, 3, deep);
    const FireParams params{.threshold = 5, .direction = Direction::bidirectional};
    const Index length = 9;
    const Matrix<double> g = support::normal_floats(3 * length, length, 7);
    const FireWeights d = fire_vjp(w, params, g);
    const auto expect = [&](double& x, double derivative, const char* name) {
      // Small enough that no unit crosses zero on the way: f is then linear in each weight, and what is left is the
      // rounding of f, 1e-13 of a sum near 100, over 2h.
      constexpr double h = 1e-7;
      const double at = x;
      const auto f = [&](double value) {
        x = value;
        return g.cwiseProduct(reference(w, params, length)).sum();
      };
      const double difference = (f(at + h) - f(at - h)) / (2 * h);
      x = at;
      EXPECT_NEAR(derivative, difference, 2e-6) << name << (deep ? ", deep" : "");
    };
    for (std::size_t k = 0; k < 8; ++k) {
      expect(w.w_in[k], d.w_in[k], "w_in");
      expect(w.b_in[k], d.b_in[k], "b_in");
      if (deep) expect(w.b_mid[k], d.b_mid[k], "b_mid");
    }
    for (Index k = 0; k < 24; ++k) expect(w.w_out.data()[k], d.w_out.data()[k], "w_out");
    for (Index k = 0; k < w.w_mid.size(); ++k) expect(w.w_mid.data()[k], d.w_mid.data()[k], "w_mid");
    for (std::size_t h = 0; h < 3; ++h) expect(w.b_out[h], d.b_out[h], "b_out");
  }
}

TEST(Fire, NumbersOutsideOfTheirRangeAreRefused) {
  EXPECT_THROW(check_fire({.c = 0}), InvalidArgument);
  EXPECT_THROW(check_fire({.threshold = 0}), InvalidArgument);
  EXPECT_THROW(check_fire({.c = std::nan("")}), InvalidArgument);
}

}  // namespace
}  // namespace orrery::position::fire_test
