// The functions themselves, one value at a time: their published constants and derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/activation/activation.h"
#include "tests/support/reference.h"

namespace orrery::activation::functions_test {
namespace {

struct Named {
  Kind kind;
  const char* name;  ///< in tests/reference
};

/// ∫ f(z) φ(z) dz by Simpson's rule on both sides of 0, where relu has its kink; beyond 12, φ is below 1e-32.
template <class F>
double gaussian_mean(F f) {
  constexpr int steps = 6144;
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

TEST(ActivationFunction, MinimaAndSteepestPointsAreThePublishedOnes) {
  constexpr Named published[] = {{Kind::gelu, "gelu"},
                                 {Kind::gelu_tanh, "gelu_tanh"},
                                 {Kind::gelu_quick, "quick_gelu"},
                                 {Kind::silu, "silu"},
                                 {Kind::mish, "mish"}};
  for (const auto& [kind, name] : published) {
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
    EXPECT_NEAR(derivative(kind, 0), at("fprime(0)"), 2e-16) << name;
  }
  // GELU is steepest at √2 exactly.
  EXPECT_LT(derivative(Kind::gelu, std::sqrt(2) + 1e-4), derivative(Kind::gelu, std::sqrt(2)));
  EXPECT_LT(derivative(Kind::gelu, std::sqrt(2) - 1e-4), derivative(Kind::gelu, std::sqrt(2)));
}

TEST(ActivationFunction, ConstantsAreThePublishedOnes) {
  const auto& v = support::reference_values().at("activations");
  EXPECT_NEAR(value(Kind::selu, 1), v.at("selu").at("lambda").get<double>(), 1e-16);
  EXPECT_NEAR(value(Kind::selu, -50), -v.at("selu").at("lambda*alpha").get<double>(), 3e-16);
  EXPECT_EQ(value(Kind::hard_swish, v.at("hardswish").at("argmin").get<double>()),
            v.at("hardswish").at("min"));
  EXPECT_EQ(derivative(Kind::hard_swish, -3), v.at("hardswish").at("deriv_range")[0]);
  EXPECT_EQ(derivative(Kind::hard_swish, 3), v.at("hardswish").at("deriv_range")[1]);
  EXPECT_NEAR(value(Kind::softplus, 0), v.at("softplus(0)").get<double>(), 1e-16);
  // Swish of any slope has SiLU's least value, divided by β, at SiLU's place, divided by β.
  for (const double beta : {0.25, 1.702, 8.0}) {
    ActivationParams swish(Kind::swish);
    swish.beta = beta;
    const double where = v.at("silu").at("argmin").get<double>() / beta;
    EXPECT_NEAR(value(swish, where), v.at("silu").at("min").get<double>() / beta, 2e-16 / beta);
    EXPECT_NEAR(derivative(swish, where), 0, 4e-16);
  }
}

TEST(ActivationFunction, GaussianMomentsAreThePublishedOnes) {
  constexpr Named published[] = {{Kind::gelu, "gelu"},
                                 {Kind::gelu_tanh, "gelu_tanh"},
                                 {Kind::gelu_quick, "quick_gelu"},
                                 {Kind::silu, "silu"},
                                 {Kind::mish, "mish"},
                                 {Kind::relu, "relu"},
                                 {Kind::relu2, "relu2"},
                                 {Kind::leaky_relu, "leaky_relu_0.01"},
                                 {Kind::elu, "elu_1"},
                                 {Kind::selu, "selu"},
                                 {Kind::softplus, "softplus"},
                                 {Kind::sigmoid, "sigmoid"},
                                 {Kind::tanh, "tanh"},
                                 {Kind::hard_swish, "hardswish"}};
  for (const auto& [kind, name] : published) {
    const auto& v = support::reference_values().at("activation_gaussian_moments").at(name);
    const Kind k = kind;
    // Printed to 13 places; Simpson's rule at 1/512 leaves less than that.
    EXPECT_NEAR(gaussian_mean([k](double z) { return value(k, z); }), v.at("mean").get<double>(), 1e-10)
        << name;
    EXPECT_NEAR(gaussian_mean([k](double z) { return value(k, z) * value(k, z); }),
                v.at("second_moment").get<double>(), 1e-10)
        << name;
  }
}

TEST(ActivationFunction, TheTanhFormIsAsFarFromGeluAsPublished) {
  const auto& v = support::reference_values().at("activations").at("gelu_approx_error");
  const double largest = v.at("tanh_max_abs"), where = v.at("tanh_at");
  const auto apart = [](double x) { return std::abs(value(Kind::gelu_tanh, x) - value(Kind::gelu, x)); };
  EXPECT_NEAR(apart(where), largest, 1e-15);
  for (double x = -8; x < 8; x += 1e-3) EXPECT_LE(apart(x), largest + 1e-15);
}

TEST(ActivationFunction, TheQuickFormIsAsFarFromGeluAsPublished) {
  const auto& v = support::reference_values().at("activations").at("gelu_approx_error");
  const double largest = v.at("quick_max_abs"), where = v.at("quick_at");
  const auto apart = [](double x) { return std::abs(value(Kind::gelu_quick, x) - value(Kind::gelu, x)); };
  EXPECT_NEAR(apart(where), largest, 1e-15);
  for (double x = -8; x < 8; x += 1e-3) EXPECT_LE(apart(x), largest + 1e-15);
}

TEST(ActivationFunction, DerivativesAgreeWithCentralDifferences) {
  for (const std::string_view name : kind_names) {
    const Kind kind = kind_from_name(name);
    for (double x : {-9.3, -5.0, -2.1, -0.75, -0.2, 0.1, 0.9, 1.4, 3.3, 7.7, 30.0}) {
      const double h = 1e-5;
      const double difference = (value(kind, x + h) - value(kind, x - h)) / (2 * h);
      // h²/6 |f'''| + 2⁻⁵³ |f|/h of at most 2 (tanh): 4e-11 + 1e-11·|f|, and |f| may be x².
      EXPECT_NEAR(derivative(kind, x), difference,
                  4e-11 + 1e-11 * std::max(std::abs(x), std::abs(value(kind, x))))
          << name << " at " << x;
    }
  }
}

// Where two branches meet, the slope is PyTorch's: that of the left one.
TEST(ActivationFunction, SlopesAtTheKinks) {
  EXPECT_EQ(derivative(Kind::relu, 0), 0);
  EXPECT_EQ(derivative(Kind::leaky_relu, 0), 0.01);
  EXPECT_EQ(derivative(Kind::elu, 0), 1);
  EXPECT_DOUBLE_EQ(derivative(Kind::selu, 0), 1.7580993408473768);
  EXPECT_EQ(derivative(Kind::relu2, 0), 0);
}

}  // namespace
}  // namespace orrery::activation::functions_test
