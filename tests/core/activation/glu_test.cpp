#include "core/activation/glu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/activation/glu_vjp.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::activation::glu_test {
namespace {

using support::GuardedMatrix;
using tensor::Format;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr Kind gates[] = {Kind::sigmoid, Kind::relu, Kind::gelu, Kind::gelu_tanh, Kind::silu, Kind::mish};

template <class T>
Matrix<T> twin(const Matrix<double>& x, const GluParams& params) {
  const Matrix<T> in = x.cast<T>();
  GuardedMatrix<T> out(x.rows(), x.cols() / 2);
  glu_cpu<T>(in, params, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

Matrix<double> reference(const Matrix<double>& x, const GluParams& params) {
  Matrix<double> y(x.rows(), x.cols() / 2);
  glu_ref(x, params, y);
  return y;
}

double largest_finite(const Matrix<double>& x) {
  return x.unaryExpr([](double v) { return std::isfinite(v) ? std::abs(v) : 0.0; }).maxCoeff();
}

TEST(Glu, CpuIsWithinItsBoundOnEveryInput) {
  for (const Kind gate : gates) {
    support::Worst worst(std::string(name(gate)));
    for (const Index F : support::input_sizes())
      for (const auto& set : support::input_sets())
        for (const Half gated : {Half::first, Half::second}) {
          const GluParams params{.gate = gate, .gated = gated};
          const Matrix<double> x = set.make(3, 2 * F), y = reference(x, params);
          worst.expect(support::compare(View<const float>(twin<float>(x, params)), y,
                                        glu_bound(params, largest_finite(x))),
                       std::string(set.name) + " × " + std::to_string(F));
          EXPECT_EQ(twin<double>(x, params), y);
        }
  }
}

// GELU(1) = Φ(1) = 0.8413447460685429 (values.json): the only number here that both halves could give.
TEST(Glu, TheHalvesAreNotAlike) {
  Matrix<double> x(1, 2);
  x << 1, 10;
  EXPECT_NEAR(reference(x, {.gate = Kind::gelu, .gated = Half::first})(0, 0), 8.413447460685429, 1e-15 * 8);
  EXPECT_DOUBLE_EQ(reference(x, {.gate = Kind::gelu, .gated = Half::second})(0, 0),
                   10);  // GELU(10) is 10 to 1e-22
}

TEST(Glu, SwappingHalvesIsSwappingTheGate) {
  const Matrix<double> x = support::normal_floats(4, 64);
  Matrix<double> swapped(4, 64);
  swapped << x.rightCols(32), x.leftCols(32);
  for (const Kind gate : gates)
    EXPECT_EQ(reference(x, {.gate = gate, .gated = Half::first}),
              reference(swapped, {.gate = gate, .gated = Half::second}));
}

TEST(Glu, NanAndInfinities) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
  Matrix<double> x(1, 8);
  x << nan, 1, -infinity, infinity, 1, nan, 5, -2;
  for (const Kind gate : gates) {
    const GluParams params{.gate = gate};
    for (const Matrix<double>& y :
         {reference(x, params), Matrix<double>(twin<float>(x, params).cast<double>())}) {
      EXPECT_TRUE(std::isnan(y(0, 0)) && std::isnan(y(0, 1)));
      EXPECT_EQ(y(0, 2), 0);  // f(−∞) = 0 for all of these
      EXPECT_EQ(y(0, 3), gate == Kind::sigmoid ? -2 : -infinity);
    }
  }
}

TEST(Glu, OnManyThreadsAndEmpty) {
  const Matrix<double> x = support::normal_floats(300, 514);
  const GluParams params{.gate = Kind::silu};
  EXPECT_TRUE(support::within(support::compare(View<const float>(twin<float>(x, params)),
                                               reference(x, params), glu_bound(params, 6))));
  EXPECT_EQ(twin<float>(Matrix<double>(0, 8), params).size(), 0);
  EXPECT_EQ(twin<float>(Matrix<double>(8, 0), params).size(), 0);
}

TEST(Glu, FusingSavesOneRounding) {
  // σ(1) = 0.73105858, which bf16 stores as 187/256 = 0.73046875. Times 2.25 that is 1.64355, which lies below the middle
  // of 1.640625 and 1.6484375; the unrounded 1.64488 lies above it.
  Matrix<double> x(1, 2), y(1, 1);
  x << 1, 2.25;
  const tensor::Precision precision{Format::bf16, Format::f32};
  glu_staged(x, {.gate = Kind::sigmoid, .fused = false}, precision, y);
  EXPECT_EQ(y(0, 0), 1.640625);
  glu_staged(x, {.gate = Kind::sigmoid, .fused = true}, precision, y);
  EXPECT_EQ(y(0, 0), 1.6484375);
}

}  // namespace
}  // namespace orrery::activation::glu_test
