#include "core/norm/layer_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/within.h"

namespace orrery::norm::layer_norm_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> row_of(const Matrix<double>& m) {
  return {m.data(), m.data() + m.size()};
}

template <class T>
std::vector<T> cast(const std::vector<double>& v) {
  return {v.begin(), v.end()};
}

Matrix<double> reference(const Matrix<double>& x, std::vector<double> weight = {},
                         std::vector<double> bias = {}, double eps = 1e-5) {
  Matrix<double> y(x.rows(), x.cols());
  layer_norm_ref(x, weight, bias, {eps}, y);
  return y;
}

/// The cpu twin into a guarded output.
template <class T>
Matrix<T> twin(const Matrix<double>& x, const std::vector<double>& weight = {},
               const std::vector<double>& bias = {}, double eps = 1e-5) {
  const Matrix<T> in = x.cast<T>();
  const std::vector<T> w = cast<T>(weight), b = cast<T>(bias);
  GuardedMatrix<T> out(x.rows(), x.cols());
  layer_norm_cpu<T>(in, w, b, {eps}, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

TEST(LayerNorm, AgreesWithTheWorkedExample) {
  const auto& example = support::reference_values().at("norm_example");
  const auto x = example.at("x").get<std::vector<double>>();
  const auto expected = example.at("layernorm").at("y").get<std::vector<double>>();
  const Matrix<double> in = Eigen::Map<const Matrix<double>>(x.data(), 1, Index(x.size()));
  const Matrix<double> y = reference(in, example.at("gamma"), example.at("beta"), example.at("eps"));
  const Matrix<double> fast = twin<double>(in, example.at("gamma"), example.at("beta"), example.at("eps"));
  for (Index j = 0; j < y.cols(); ++j) {
    // The file holds 16 digits; a handful of operations in double lose a few units of 1e-16.
    EXPECT_NEAR(y(0, j), expected[std::size_t(j)], 4e-15);
    EXPECT_NEAR(fast(0, j), expected[std::size_t(j)], 4e-15);
  }
}

TEST(LayerNorm, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst_plain("layer_norm"), worst_affine("layer_norm with weight and bias"),
      worst_double("layer_norm in double");
  for (Index D : support::input_sizes()) {
    const auto weight = row_of(support::normal_floats(1, D, 1));
    const auto bias = row_of(support::normal_floats(1, D, 2));
    for (const auto& set : support::input_sets()) {
      const std::string where = std::string(set.name) + " × " + std::to_string(D);
      const Matrix<double> x = set.make(3, D);
      const auto plain = support::compare(View<const float>(twin<float>(x)), reference(x), layer_norm_bound);
      worst_plain.expect(plain, where);
      const Matrix<double> affine = reference(x, weight, bias);
      worst_affine.expect(
          support::compare(View<const float>(twin<float>(x, weight, bias)), affine, layer_norm_bound), where);
      // Both in double, summed in another order: what the sums lose, D · 2⁻⁵³ · |x|max/σ.
      worst_double.expect(support::compare(View<const double>(twin<double>(x, weight, bias)), affine,
                                           {.rel = 1e-14, .nmse = 1e-24, .row = 1e-12}, tensor::Format::f64),
                          where);
    }
  }
}

// As in RmsNorm.AWeightMayBeFarFromTheRow.
TEST(LayerNorm, AWeightMayBeFarFromTheRow) {
  const struct { int row, weight; } sizes[] = {{-38, 110}, {48, -90}, {38, -126}, {-20, 100}, {0, -130}};
  for (const auto& size : sizes) {
    const Matrix<double> x = std::ldexp(1.0, size.row) * support::normal_floats(5, 70);
    auto weight = row_of(std::ldexp(1.0, size.weight) * support::normal_floats(1, 70, 1));
    for (double& w : weight) w = static_cast<float>(w);
    EXPECT_TRUE(support::within(support::compare(View<const float>(twin<float>(x, weight, {}, 0)),
                                                 reference(x, weight, {}, 0), layer_norm_bound)))
        << "rows of 2^" << size.row << ", weights of 2^" << size.weight;
  }
}

TEST(LayerNorm, AMissingWeightIsOneAndAMissingBiasZero) {
  const Matrix<double> x = support::normal_floats(5, 70);
  const auto weight = row_of(support::normal_floats(1, 70, 1)),
             bias = row_of(support::normal_floats(1, 70, 2));
  const std::vector<double> ones(70, 1), zeros(70, 0);
  EXPECT_EQ(twin<float>(x, weight), twin<float>(x, weight, zeros));
  EXPECT_EQ(twin<float>(x, {}, bias), twin<float>(x, ones, bias));
  EXPECT_EQ(twin<float>(x), twin<float>(x, ones, zeros));
}

TEST(LayerNorm, RowsHaveZeroMeanAndUnitVariance) {
  for (const auto& set : support::input_sets()) {
    if (set.name == "zeros" || set.name == "ones" || set.name == "subnormal" || set.name == "tiny") continue;
    // ε = 0 makes it exact; each of the 1000 values was rounded to float, at most 2⁻²⁴·4 each, and
    // independently.
    const Matrix<double> y = twin<float>(set.make(5, 1000), {}, {}, 0).cast<double>();
    for (Index i = 0; i < y.rows(); ++i) {
      EXPECT_NEAR(y.row(i).mean(), 0, 1e-7) << set.name;
      EXPECT_NEAR(y.row(i).squaredNorm() / 1000, 1, 1e-7) << set.name;
    }
  }
}

TEST(LayerNorm, ForgetsScaleAndShift) {
  const Matrix<double> x = support::normal_floats(4, 257);
  const Matrix<double> moved = (3.5 * x).array() + 11;
  // Both in double with ε = 0: what rounding of a x + c leaves, 2⁻⁵³ · 20/3.5.
  EXPECT_LT((reference(x, {}, {}, 0) - reference(moved, {}, {}, 0)).cwiseAbs().maxCoeff(), 4e-15);
}

TEST(LayerNorm, EpsilonStandsUnderTheRoot) {
  Matrix<double> x(1, 2);
  x << -3, 3;  // μ = 0, σ² = 9
  EXPECT_NEAR(reference(x, {}, {}, 16)(0, 1), 3.0 / 5, 1e-16);
  EXPECT_FLOAT_EQ(twin<float>(x, {}, {}, 16)(0, 1), 0.6f);
}

TEST(LayerNorm, AConstantRowIsTheBias) {
  // 0.1 as a float has no finite mean in float: sums must be exact for the centred values to be 0.
  const Matrix<double> x = Matrix<double>::Constant(2, 1000, double(0.1f));
  const auto bias = row_of(support::normal_floats(1, 1000));
  const Matrix<float> y = twin<float>(x, {}, bias);
  for (Index j = 0; j < 1000; ++j) EXPECT_EQ(y(1, j), float(bias[std::size_t(j)]));
}

TEST(LayerNorm, NanAndInfinityStayInTheirRow) {
  Matrix<double> x = support::normal_floats(5, 33);
  const Matrix<float> clean = twin<float>(x);
  x(1, 7) = nan;
  x(3, 0) = infinity;
  const Matrix<float> y = twin<float>(x);
  const Matrix<double> r = reference(x);
  for (Index j = 0; j < 33; ++j) {
    for (Index i : {1, 3}) {
      EXPECT_TRUE(std::isnan(y(i, j)));
      EXPECT_TRUE(std::isnan(r(i, j)));
    }
    for (Index i : {0, 2, 4}) EXPECT_EQ(y(i, j), clean(i, j));
  }
}

TEST(LayerNorm, EmptyInputsWriteNothing) {
  EXPECT_EQ(twin<float>(Matrix<double>(0, 8)).size(), 0);
  EXPECT_EQ(twin<float>(Matrix<double>(3, 0)).size(), 0);
  EXPECT_EQ(reference(Matrix<double>(3, 0)).size(), 0);
}

TEST(LayerNorm, WorksInPlaceAndOnManyThreads) {
  const Matrix<double> x = support::normal_floats(300, 257);  // enough for the loop to be shared
  const Matrix<float> expected = twin<float>(x);
  Matrix<float> y = x.cast<float>();
  layer_norm_cpu<float>(y, {}, {}, {}, y);
  EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace orrery::norm::layer_norm_test
