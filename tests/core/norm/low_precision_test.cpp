// What low precision does to the norms: the staged twins against published facts and tests/reference/values.json.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"

namespace orrery::norm::low_precision_test {
namespace {

using tensor::Format;
using tensor::Index;
using tensor::Matrix;
using tensor::Precision;

constexpr Precision all_f16{Format::f16, Format::f16}, all_bf16{Format::bf16, Format::bf16},
    all_f32{Format::f32, Format::f32};

Matrix<double> rms(const Matrix<double>& x, const Precision& precision, const RmsNormParams& params = {},
                   const std::vector<double>& weight = {}) {
  Matrix<double> y(x.rows(), x.cols());
  rms_norm_staged(x, weight, params, precision, y);
  return y;
}

Matrix<double> layer(const Matrix<double>& x, const Precision& precision,
                     const LayerNormParams& params = {}) {
  Matrix<double> y(x.rows(), x.cols());
  layer_norm_staged(x, {}, {}, params, precision, y);
  return y;
}

/// (μ + 1, μ − 1): the deviation is 1, and nothing is lost to long sums.
Matrix<double> pair_around(double mean) {
  Matrix<double> x(1, 2);
  x << mean + 1, mean - 1;
  return x;
}

TEST(LowPrecision, OneSquareOverflowsHalfFrom256) {
  const auto& fp16 = support::reference_values().at("fp16");
  const double last = fp16.at("largest_x_with_finite_square_on_fp16_grid"),
               first = fp16.at("smallest_overflowing_x");
  // x/√x² with four roundings of 2⁻¹¹ on the way.
  EXPECT_NEAR(rms(Matrix<double>::Constant(1, 1, last), all_f16)(0, 0), 1, 4 * 0x1p-11);
  EXPECT_EQ(rms(Matrix<double>::Constant(1, 1, first), all_f16)(0, 0), 0);  // x · 1/√∞
  EXPECT_EQ(rms(Matrix<double>::Constant(1, 1, first), {Format::f16, Format::f32})(0, 0), 1);
}

TEST(LowPrecision, SumsOfSquaresOverflowHalf) {
  // |x| of a constant vector of D from where on the sum of its squares is infinite.
  for (const auto& [width, from] : support::reference_values()
                                       .at("fp16")
                                       .at("sum_of_squares_overflow_abs_x_for_constant_vector")
                                       .items()) {
    const double D = std::stod(width), x = from.get<double>();
    EXPECT_TRUE(std::isinf(tensor::round_to(Format::f16, D * x * x * (1 + 1e-12)))) << width;
    EXPECT_EQ(tensor::round_to(Format::f16, D * x * x * (1 - 1e-12)), 65504) << width;
  }
  // The same in a whole norm: 64 times 32² = 65536. (From 2048 terms on a naive sum stalls before it overflows.)
  EXPECT_EQ(rms(Matrix<double>::Constant(1, 64, 32), all_f16)(0, 0), 0);
  EXPECT_NEAR(rms(Matrix<double>::Constant(1, 64, 31.5), all_f16)(0, 0), 1, 16 * 0x1p-11);
}

TEST(LowPrecision, SmallEpsilonsVanishInHalf) {
  for (const auto& [eps, rounded] : support::reference_values().at("fp16").at("eps_in_fp16").items())
    EXPECT_EQ(tensor::round_to(Format::f16, std::stod(eps)), rounded.get<double>()) << eps;
  for (const double eps : {1e-8, 1e-12}) {  // 0 · 1/√0: nothing is left to keep the divisor above 0
    EXPECT_TRUE(std::isnan(rms(Matrix<double>::Zero(1, 4), all_f16, {.eps = eps})(0, 0)));
    EXPECT_TRUE(std::isnan(layer(Matrix<double>::Zero(1, 4), all_f16, {.eps = eps})(0, 0)));
  }
  EXPECT_EQ(rms(Matrix<double>::Zero(1, 4), all_f16, {.eps = 1e-6})(0, 0), 0);
  EXPECT_EQ(layer(Matrix<double>::Zero(1, 4), all_f16, {.eps = 1e-6})(0, 0), 0);
  // Below 1.7e-4 squares flush to 0 and ε = 1.01328e-6 alone is the divisor. Four roundings of 2⁻¹¹.
  EXPECT_NEAR(rms(Matrix<double>::Constant(1, 8, 1e-4), all_f16, {.eps = 1e-6})(0, 0),
              1e-4 / std::sqrt(1.01328e-6), 1e-4 / std::sqrt(1.01328e-6) * 4 * 0x1p-11);
}

TEST(LowPrecision, NaiveSumsStall) {
  const Matrix<double> ones = Matrix<double>::Ones(1, 4096);
  const auto& values = support::reference_values();
  // bf16: the sum of 4096 ones stops at 256, the mean square is 1/16, and the result exactly 4.
  EXPECT_EQ(rms(ones, all_bf16)(0, 0), values.at("bf16").at("rmsnorm_of_ones_d4096_naive_bf16_acc_scale"));
  // fp16: it stops at 2048: √2, rounded three times.
  const double half = 4096 / values.at("fp16").at("naive_sum_of_ones_stalls_at").get<double>();
  EXPECT_NEAR(rms(ones, all_f16)(0, 0), std::sqrt(half), 3 * 0x1p-10);
  // A sum in float is right, whatever the storage: 1/√(1 + 1e-6) rounds to 1 in both.
  EXPECT_EQ(rms(ones, {Format::bf16, Format::f32})(0, 0), 1);
  EXPECT_EQ(rms(ones, {Format::f16, Format::f32})(0, 0), 1);
}

TEST(LowPrecision, AOnePassVarianceLosesEveryDigit) {
  const auto& limits =
      support::reference_values().at("variance_one_pass").at("fails_when_mu_over_sigma_exceeds_sqrt(1/u)");
  const struct {
    Precision precision;
    const char* limit;
  } formats[] = {{all_bf16, "bf16_u2^-8"}, {all_f16, "fp16_u2^-11"}, {all_f32, "fp32_u2^-24"}};
  for (const auto& f : formats) {
    const double limit = limits.at(f.limit);
    const double above = std::exp2(std::floor(std::log2(limit)) + 1), below = above / 4;
    constexpr double eps = 0x1p-10;
    const auto first = [&](double mean, Estimator estimator) {
      return layer(pair_around(mean), f.precision, {.eps = eps, .estimator = estimator})(0, 0);
    };
    // 1/√(1 + 2⁻¹⁰) = 0.9995, and a few roundings.
    const double u = tensor::info(f.precision.accumulate).unit_roundoff, exact = 1 / std::sqrt(1 + eps);
    for (const Estimator estimator : {Estimator::two_pass, Estimator::welford}) {
      EXPECT_NEAR(first(above, estimator), exact, 4 * u) << f.limit;
      EXPECT_NEAR(first(below, estimator), exact, 4 * u) << f.limit;
    }
    EXPECT_NEAR(first(below, Estimator::one_pass), exact, 4 * u) << f.limit;
    // The mean of the squares and the square of the mean round to the same number: the variance is 0, and ε
    // alone is left, 1/√2⁻¹⁰ = 32.
    EXPECT_EQ(first(above, Estimator::one_pass), 32) << f.limit;
  }
}

TEST(LowPrecision, AOnePassVarianceMayBeNegative) {
  // Rows of one constant: their variance is 0, or what rounding makes of it.
  for (const Precision& precision : {all_bf16, all_f16, all_f32}) {
    int negative = 0;
    for (int c = 1; c <= 200; ++c) {
      const Matrix<double> x = Matrix<double>::Constant(1, 5, c + 0.3);
      const auto is_nan = [&](Estimator estimator) {
        return std::isnan(layer(x, precision, {.eps = 0x1p-20, .estimator = estimator})(0, 0));
      };
      negative += is_nan(Estimator::one_pass) ? 1 : 0;
      EXPECT_FALSE(is_nan(Estimator::two_pass)) << c;
      EXPECT_FALSE(is_nan(Estimator::welford)) << c;
    }
    std::printf("  one_pass in %s: %d of 200 constant rows are NaN\n",
                std::string(tensor::name(precision.accumulate)).c_str(), negative);
    EXPECT_GT(negative, 0);
  }
}

TEST(LowPrecision, AMachineEpsilonOfBf16IsNoEpsilon) {
  // eps=None in PyTorch means the machine epsilon of the format, 2⁻⁷ in bf16. Inputs of RMS 0.058 then come out
  // 1.823 times too small.
  const Matrix<double> x = 0.058 * support::input_sets()[3].make(1, 768);  // alternating signs
  const double y = std::abs(rms(x, all_f32, {.eps = 0x1p-7})(0, 0));
  EXPECT_NEAR(1 / y, 1.823, 5e-4);
  EXPECT_NEAR(std::abs(rms(x, {Format::bf16, Format::f32}, {.eps = 0x1p-7})(0, 0)), 1 / 1.823,
              2 * 0x1p-8 / 1.823);
}

TEST(LowPrecision, CastOrders) {
  // 1 + 15.8125 is no number of bf16 (the spacing is 1/8 there): LLaMA's order rounds it, Gemma's does not.
  // x̂ = 1/√0.53125 = 1.372, gain 16.8125: 23.07.
  Matrix<double> x(1, 2);
  x << 1, 0.25;
  const std::vector<double> weight{15.8125, 0};
  const Precision mixed{Format::bf16, Format::f32};
  const double gemma = rms(x, mixed, {.eps = 0, .weight_offset = 1, .cast = CastOrder::gemma}, weight)(0, 0);
  const double llama = rms(x, mixed, {.eps = 0, .weight_offset = 1, .cast = CastOrder::llama}, weight)(0, 0);
  EXPECT_EQ(gemma, tensor::round_to(Format::bf16, 16.8125 / std::sqrt(0.53125)));
  EXPECT_EQ(llama,
            tensor::round_to(Format::bf16, 16.75 * tensor::round_to(Format::bf16, 1 / std::sqrt(0.53125))));
  EXPECT_NE(gemma, llama);
}

// A rounded one-pass variance of one number may be above 0, and ∞ times it ∞: 0 where the contract has NaN.
TEST(LowPrecision, OneNumberHasNoUnbiasedVariance) {
  for (const Estimator estimator : {Estimator::two_pass, Estimator::one_pass, Estimator::welford})
    for (double x = 1; x < 2; x += 0x1p-7)
      EXPECT_TRUE(std::isnan(layer(Matrix<double>::Constant(1, 1, x), {Format::f32, Format::bf16},
                                   {.estimator = estimator, .variant = LayerNormVariant::annotated})(0, 0)))
          << x;
}

TEST(LowPrecision, InDoubleTheStagedTwinsAreTheReference) {
  const Matrix<double> x = support::normal_floats(3, 100);
  const Precision exact{Format::f64, Format::f64};
  for (const Estimator estimator : {Estimator::two_pass, Estimator::one_pass, Estimator::welford}) {
    for (const LayerNormVariant variant : {LayerNormVariant::standard, LayerNormVariant::annotated}) {
      const LayerNormParams params{.estimator = estimator, .variant = variant};
      Matrix<double> reference(3, 100);
      layer_norm_ref(x, {}, {}, params, reference);
      // Sums of 100 terms in other orders, of values up to 3.
      EXPECT_LT((layer(x, exact, params) - reference).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
  for (const CastOrder cast : {CastOrder::llama, CastOrder::gemma}) {
    for (const EpsPlace place : {EpsPlace::inside, EpsPlace::outside}) {
      const RmsNormParams params{.eps_place = place, .partial = 0.25, .cast = cast};
      Matrix<double> reference(3, 100);
      rms_norm_ref(x, {}, params, reference);
      EXPECT_LT((rms(x, exact, params) - reference).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

}  // namespace
}  // namespace orrery::norm::low_precision_test
