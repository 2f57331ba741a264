#include "core/activation/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::activation {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const struct {
  Kind kind;
  const char* name;
} kinds[] = {
    {Kind::relu, "relu"}, {Kind::gelu, "gelu"}, {Kind::gelu_tanh, "gelu_tanh"}, {Kind::silu, "silu"}};

template <class T>
Matrix<T> twin(const Matrix<double>& x, Kind kind) {
  const Matrix<T> in = x.cast<T>();
  GuardedMatrix<T> out(x.rows(), x.cols());
  activation_cpu<T>(in, kind, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

Matrix<double> reference(const Matrix<double>& x, Kind kind) {
  Matrix<double> y(x.rows(), x.cols());
  activation_ref(x, kind, y);
  return y;
}

float in_float(Kind kind, double x) {
  return twin<float>(Matrix<double>::Constant(1, 1, x), kind)(0, 0);
}

/// ∫ f(z) φ(z) dz by Simpson's rule on both sides of 0, where relu has its kink; beyond 12, φ is below 1e-32.
template <class F>
double gaussian_mean(F f) {
  constexpr int steps = 1536;
  double total = 0;
  for (double side : {-12.0, 12.0}) {
    const double h = side / steps;
    for (int k = 0; k <= steps; ++k) {
      const double z = h * k, weight = k == 0 || k == steps ? 1 : (k % 2 == 1 ? 4 : 2);
      total += weight * std::abs(h) / 3 * f(z) * std::exp(-z * z / 2);
    }
  }
  return total / std::sqrt(2 * 3.14159265358979323846);
}

TEST(Activation, CpuIsWithinItsBoundOnEveryInput) {
  for (const auto& [kind, name] : kinds) {
    support::Worst worst(name);
    for (Index D : support::input_sizes())
      for (const auto& set : support::input_sets()) {
        const Matrix<double> x = set.make(3, D);
        worst.expect(support::compare(View<const float>(twin<float>(x, kind)), reference(x, kind),
                                      activation_bound(kind)),
                     std::string(set.name) + " × " + std::to_string(D));
        EXPECT_EQ(twin<double>(x, kind), reference(x, kind));
      }
    // Everywhere that float can tell from 0 and from the identity.
    const Matrix<double> line = Matrix<double>::NullaryExpr(
        1, 40001, [](Index j) { return double(float(-120 + 0.006 * double(j))); });
    worst.expect(support::compare(View<const float>(twin<float>(line, kind)), reference(line, kind),
                                  activation_bound(kind)),
                 "−120 … 120");
  }
}

TEST(Activation, MinimaAndSteepestPointsAreThePublishedOnes) {
  for (const auto& [kind, name] : kinds) {
    if (kind == Kind::relu) continue;
    const auto& v = support::reference_values().at("activations").at(name);
    const auto at = [&v](const char* key) { return v.at(key).get<double>(); };
    EXPECT_NEAR(derivative(kind, at("argmin")), 0, 2e-16) << name;
    EXPECT_NEAR(value(kind, at("argmin")), at("min"), 1e-16) << name;
    EXPECT_NEAR(derivative(kind, at("argmax_derivative")), at("max_derivative"), 4e-16) << name;
    EXPECT_NEAR(derivative(kind, at("argmin_derivative")), at("min_derivative"), 2e-16) << name;
    EXPECT_NEAR(value(kind, 1), at("f(1)"), 2e-16) << name;
    EXPECT_NEAR(value(kind, -1), at("f(-1)"), 1e-16) << name;
    EXPECT_NEAR(derivative(kind, 1), at("fprime(1)"), 4e-16) << name;
    EXPECT_NEAR(derivative(kind, -1), at("fprime(-1)"), 2e-16) << name;
    EXPECT_EQ(derivative(kind, 0), 0.5) << name;
  }
  // GELU is steepest at √2 exactly.
  EXPECT_LT(derivative(Kind::gelu, std::sqrt(2) + 1e-4), derivative(Kind::gelu, std::sqrt(2)));
  EXPECT_LT(derivative(Kind::gelu, std::sqrt(2) - 1e-4), derivative(Kind::gelu, std::sqrt(2)));
}

TEST(Activation, GaussianMomentsAreThePublishedOnes) {
  for (const auto& [kind, name] : kinds) {
    const auto& v = support::reference_values().at("activation_gaussian_moments").at(name);
    const Kind k = kind;
    // Printed to 13 places; Simpson's rule at 1/128 leaves less than that.
    EXPECT_NEAR(gaussian_mean([k](double z) { return value(k, z); }), v.at("mean").get<double>(), 1e-10)
        << name;
    EXPECT_NEAR(gaussian_mean([k](double z) { return value(k, z) * value(k, z); }),
                v.at("second_moment").get<double>(), 1e-10)
        << name;
  }
}

TEST(Activation, TheTanhFormIsAsFarFromGeluAsPublished) {
  const auto& v = support::reference_values().at("activations").at("gelu_approx_error");
  const double largest = v.at("tanh_max_abs"), where = v.at("tanh_at");
  const auto apart = [](double x) { return std::abs(value(Kind::gelu_tanh, x) - value(Kind::gelu, x)); };
  EXPECT_NEAR(apart(where), largest, 1e-15);
  for (double x = -8; x < 8; x += 1e-3) EXPECT_LE(apart(x), largest + 1e-15);
}

TEST(Activation, DerivativesAgreeWithCentralDifferences) {
  for (const auto& [kind, name] : kinds) {
    for (double x : {-9.3, -5.0, -2.1, -0.75, -0.2, 0.1, 0.9, 1.4, 3.3, 7.7, 30.0}) {
      const double h = 1e-5;
      const double difference = (value(kind, x + h) - value(kind, x - h)) / (2 * h);
      // h²/6 |f'''| + 2⁻⁵³ |f|/h with |f'''| below 1: 2e-11 + 1e-11·|x|.
      EXPECT_NEAR(derivative(kind, x), difference, 2e-11 + 1e-11 * std::abs(x)) << name << " at " << x;
    }
  }
}

// python3: from mpmath import *; mp.dps = 60
//   gelu x*erfc(-x/sqrt(2))/2; gelu_tanh x/2*(1 + tanh(sqrt(2/pi)*(x + mpf('0.044715')*x**3))); silu x/(1 +
//   exp(-x))
TEST(Activation, TailsAreRelativelyExact) {
  const struct {
    Kind kind;
    double x, exact;
  } tails[] = {
      {Kind::gelu, -0.5, -0.15426876936299345},
      {Kind::gelu, -1.5, -0.1002108019032871},
      {Kind::gelu, -3, -0.0040496940948902836},
      {Kind::gelu, -5, -1.4332578593959696e-6},
      {Kind::gelu, -8, -4.9767684594174273e-15},
      {Kind::gelu, -10, -7.6198530241605261e-23},
      {Kind::gelu, -13, -7.9523137194148436e-38},
      {Kind::gelu, -20, -5.5072482372124674e-88},
      {Kind::gelu, -37, -2.1184613523340934e-298},
      {Kind::gelu, 1.25, 1.1179377829164309},
      {Kind::gelu, 6, 5.9999999940804741},
      {Kind::gelu_tanh, -0.5, -0.15428599017485608},
      {Kind::gelu_tanh, -1.5, -0.10042842301976708},
      {Kind::gelu_tanh, -3, -0.0036373920817730188},
      {Kind::gelu_tanh, -5, -2.291796196629506e-7},
      {Kind::gelu_tanh, -8, -3.1077829375011112e-21},
      {Kind::gelu_tanh, -10, -1.204092348209806e-37},
      {Kind::gelu_tanh, 1.25, 1.1177142029697146},
      {Kind::gelu_tanh, 6, 5.9999999999156035},
      {Kind::silu, -0.5, -0.18877033439907272},
      {Kind::silu, -5, -0.033464254621424278},
      {Kind::silu, -20, -4.1223072363804072e-8},
      {Kind::silu, -80, -1.4438811102763321e-33},
      {Kind::silu, -100, -3.720075976020836e-42},
      {Kind::silu, -700, -6.9017735806318396e-302},
      {Kind::silu, 1.25, 0.97162482646836393},
      {Kind::silu, 6, 5.9851642610601914},
  };
  for (const auto& t : tails) {
    // The exponential's argument is up to 700 (x²/2, 2z or x) and rounded to 2⁻⁵³ of itself, a few times.
    EXPECT_TRUE(support::close(value(t.kind, t.x), t.exact, 4 * 700 * 0x1p-53)) << t.x;
    // Float: one rounding; below 2⁻¹²⁶ the steps are 2⁻¹⁴⁹.
    EXPECT_NEAR(in_float(t.kind, t.x), t.exact, 0x1.0001p-24 * std::abs(t.exact) + 0x1p-150) << t.x;
  }
}

TEST(Activation, NanAndInfinities) {
  for (const auto& [kind, name] : kinds) {
    Matrix<double> x(1, 4);
    x << nan, infinity, -infinity, 2;
    const Matrix<double> r = reference(x, kind);
    const Matrix<double> y = twin<float>(x, kind).cast<double>();
    for (const Matrix<double>& m : {r, y}) {
      EXPECT_TRUE(std::isnan(m(0, 0))) << name;
      EXPECT_EQ(m(0, 1), infinity) << name;
      EXPECT_EQ(m(0, 2), 0) << name;
      EXPECT_TRUE(std::isfinite(m(0, 3))) << name;
    }
    EXPECT_TRUE(std::isnan(derivative(kind, nan))) << name;
    for (double far : {infinity, 1e308, 1e150, 1e30}) {
      EXPECT_EQ(derivative(kind, far), 1) << name << far;
      EXPECT_EQ(derivative(kind, -far), 0) << name << far;
    }
  }
  EXPECT_EQ(derivative(Kind::relu, 0), 0);
}

TEST(Activation, EmptyInPlaceAndOnManyThreads) {
  const Matrix<double> x = support::normal_floats(300, 257);
  for (const auto& [kind, name] : kinds) {
    EXPECT_EQ(twin<float>(Matrix<double>(0, 8), kind).size(), 0);
    EXPECT_EQ(twin<float>(Matrix<double>(8, 0), kind).size(), 0);
    Matrix<float> y = x.cast<float>();
    activation_cpu<float>(y, kind, y);
    EXPECT_EQ(y, twin<float>(x, kind)) << name;
  }
}

}  // namespace
}  // namespace orrery::activation
