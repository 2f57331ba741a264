// The derivatives of the norms where squares leave double, where a mean is far from 0 and where all values are alike: there,
// too, they are those of the forward pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

#include "core/norm/batch_norm_vjp.h"
#include "core/norm/group_norm_vjp.h"
#include "core/norm/instance_norm_vjp.h"
#include "core/norm/layer_norm_vjp.h"
#include "core/norm/rms_norm_vjp.h"
#include "core/norm/scale_norm_vjp.h"
#include "tests/support/inputs.h"

namespace orrery::norm::vjp_range_test {
namespace {

using tensor::Index;
using tensor::Matrix;

/// Of a row, without weights.
template <class T>
struct Derivative {
  Matrix<T> dx;
  std::vector<T> dw;  ///< one sum of those that are taken down a column

  Derivative(Index cols, Index weights) : dx(1, cols), dw(static_cast<std::size_t>(weights)) {}
  double along() const { return std::accumulate(dw.begin(), dw.end(), 0.0); }  ///< Σ g x̂
};

/// A row whose squares stay in range: those of doubles do in long double.
using Exact = std::vector<long double>;

long double sum_of_squares(const Exact& x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0L);
}

Exact over(Exact x, long double divisor) {
  for (long double& v : x) v /= divisor;
  return x;
}

Exact centred(Exact x) {
  const long double mean = std::accumulate(x.begin(), x.end(), 0.0L) / static_cast<long double>(x.size());
  for (long double& v : x) v -= mean;
  return x;
}

Exact over_root_mean_square(const Exact& x, long double eps) {
  return over(x, std::sqrt(sum_of_squares(x) / static_cast<long double>(x.size()) + eps));
}

Exact over_deviation(const Exact& x, long double eps) {
  return over_root_mean_square(centred(x), eps);
}

template <class T>
struct Named {
  const char* name;
  bool eps_is_squared;  ///< ε is added to a square
  Exact (*y)(const Exact& x, long double eps);
  Derivative<T> (*vjp)(const Matrix<T>& x, const Matrix<T>& g, double eps);

  double eps(double root) const { return eps_is_squared ? root * root : root; }
};

/// The row as a column, for the norms that sum down one.
template <class T, class Vjp>
Derivative<T> turned(const Matrix<T>& x, const Matrix<T>& g, const Vjp& vjp) {
  const Matrix<T> column = x.transpose(), gradient = g.transpose();
  Matrix<T> dx(x.cols(), 1);
  Derivative<T> result(x.cols(), 1);
  vjp(column, gradient, dx, std::span<T>(result.dw));
  result.dx = dx.transpose();
  return result;
}

/// All that take a mean off; the first is annotated.
template <class T>
constexpr Named<T> centring[] = {
    {"annotated", false,
     [](const Exact& x, long double eps) {
       const Exact c = centred(x);
       return over(c, std::sqrt(sum_of_squares(c) / static_cast<long double>(c.size() - 1)) + eps);
     },
     [](const Matrix<T>& x, const Matrix<T>& g, double eps) {
       Derivative<T> d(x.cols(), x.cols());
       layer_norm_vjp<T>(x, {}, g, {.eps = eps, .variant = LayerNormVariant::annotated}, {d.dx, d.dw, {}});
       return d;
     }},
    {"layer_norm", true, over_deviation,
     [](const Matrix<T>& x, const Matrix<T>& g, double eps) {
       Derivative<T> d(x.cols(), x.cols());
       layer_norm_vjp<T>(x, {}, g, {.eps = eps}, {d.dx, d.dw, {}});
       return d;
     }},
    {"group_norm", true, over_deviation,
     [](const Matrix<T>& x, const Matrix<T>& g, double eps) {
       Derivative<T> d(x.cols(), x.cols());
       group_norm_vjp<T>(x, {}, g, {.eps = eps, .groups = 1}, {d.dx, d.dw, {}});
       return d;
     }},
    {"batch_norm", true, over_deviation,
     [](const Matrix<T>& x, const Matrix<T>& g, double eps) {
       return turned<T>(x, g, [eps](const auto& column, const auto& gradient, auto& dx, auto dw) {
         batch_norm_vjp<T>(column, {}, gradient, {.eps = eps}, {dx, dw, {}});
       });
     }},
    {"instance_norm", true, over_deviation,
     [](const Matrix<T>& x, const Matrix<T>& g, double eps) {
       return turned<T>(x, g, [eps](const auto& column, const auto& gradient, auto& dx, auto dw) {
         instance_norm_vjp<T>(column, {}, gradient, {.eps = eps, .positions = column.rows()}, {dx, dw, {}});
       });
     }},
};

Derivative<double> of_rms_norm(const Matrix<double>& x, const Matrix<double>& g,
                               const RmsNormParams& params) {
  Derivative<double> d(x.cols(), x.cols());
  rms_norm_vjp<double>(x, {}, g, params, {d.dx, d.dw});
  return d;
}

constexpr Named<double> scaling[] = {
    {"rms_norm", true, over_root_mean_square,
     [](const auto& x, const auto& g, double eps) { return of_rms_norm(x, g, {.eps = eps}); }},
    {"rms_norm, outside", false,
     [](const Exact& x, long double eps) {
       return over(x, std::sqrt(sum_of_squares(x) / static_cast<long double>(x.size())) + eps);
     },
     [](const auto& x, const auto& g, double eps) {
       return of_rms_norm(x, g, {.eps = eps, .eps_place = EpsPlace::outside});
     }},
    {"scale_norm", false,
     [](const Exact& x, long double eps) { return over(x, std::max(std::sqrt(sum_of_squares(x)), eps)); },
     [](const auto& x, const auto& g, double eps) {
       Derivative<double> d(x.cols(), 1);
       d.dw[0] = scale_norm_vjp<double>(x, 1, g, {.eps = eps}, d.dx);
       return d;
     }},
};

std::vector<Named<double>> all() {
  std::vector<Named<double>> norms(std::begin(centring<double>), std::end(centring<double>));
  norms.insert(norms.end(), std::begin(scaling), std::end(scaling));
  return norms;
}

/// 2^k x has the x̂ of x and, with ε = 0, 2^−k of its derivative: to the bit, for a power of two changes no digit.
TEST(VjpRange, SquaresThatLeaveDoubleChangeNoDigit) {
  const Matrix<double> x = support::normal_floats(1, 30), g = support::normal_floats(1, 30, 1);
  for (const Named<double>& norm : all()) {
    const Derivative<double> expected = norm.vjp(x, g, 0);
    for (const int k : {531, -531, 900, -900, 990, -990}) {
      const Derivative<double> found = norm.vjp(x * std::exp2(k), g, 0);
      EXPECT_EQ(found.dx * std::exp2(k), expected.dx) << norm.name << ", 2^" << k;
      EXPECT_EQ(found.dw, expected.dw) << norm.name << ", 2^" << k;
    }
  }
}

/// In this unit x is about 1 on both sides of this mean.
struct Size {
  double unit, mean, root_eps;
};

void expect_of_the_formula(const Named<double>& norm, const Size& size) {
  const Matrix<double> x = (support::normal_floats(1, 12).array() + size.mean) * size.unit;
  const Matrix<double> g = support::normal_floats(1, 12, 1);
  const double eps = norm.eps(size.root_eps);
  const Derivative<double> found = norm.vjp(x, g, eps);
  // Σ g y where x_j is `step` larger. What takes a mean off knows nothing of a shift, and one by a near number is exact.
  const auto at = [&](Index j, long double step) {
    Exact moved;
    for (const double v : x.reshaped()) moved.push_back(static_cast<long double>(v) - size.mean * size.unit);
    moved[static_cast<std::size_t>(j)] += step;
    const Exact y = norm.y(moved, eps);
    return std::inner_product(y.begin(), y.end(), g.data(), 0.0L);
  };

  // Off by h⁴ f⁽⁵⁾/30 by itself: 2⁻⁴⁴ · 100/30, or 2e-13, and by 2⁻⁶⁴ of f over h.
  const long double h = 0x1p-11L * size.unit;
  Exact expected;
  for (Index j = 0; j < 12; ++j)
    expected.push_back((8 * (at(j, h) - at(j, -h)) - (at(j, 2 * h) - at(j, -2 * h))) / (12 * h) * size.unit);
  for (Index j = 0; j < 12; ++j)
    EXPECT_NEAR(found.dx(0, j) * size.unit, static_cast<double>(expected[static_cast<std::size_t>(j)]), 3e-13)
        << norm.name << ", " << size.unit << ", mean " << size.mean << ", ε " << eps << ": " << j;
  // Σ g x̂ is Σ g y: twelve terms of about 1, roundings of 1e-16
  EXPECT_NEAR(found.along(), static_cast<double>(at(0, 0)), 2e-15)
      << norm.name << ", " << size.unit << ", mean " << size.mean << ", ε " << eps;
}

TEST(VjpRange, IsTheDifferenceOfTheFormulaWhereSquaresLeaveDouble) {
  for (const Named<double>& norm : all())
    for (const Size& size : {Size{1, 0, 0.5}, Size{1e160, 0, 0}, Size{1e200, 0, 3e-3}, Size{1e300, 0, 1},
                             Size{1e-170, 0, 0}, Size{1e-153, 0, 3e-154}, Size{1e-300, 0, 0}})
      expect_of_the_formula(norm, size);
}

TEST(VjpRange, AMeanFarFromZeroCostsNoDigit) {
  for (const Named<double>& norm : centring<double>)
    for (const Size& size : {Size{1, 1e9, 0}, Size{1, -3e12, 1}, Size{1e200, 1e9, 0}, Size{1e-200, 1e9, 0}})
      expect_of_the_formula(norm, size);
}

/// x̂ = 0 is left of the formula: dw = 0 and dx = r (g − mean g), r = 1/√ε or 1/ε.
template <class T>
void expect_of_a_constant_row(const Named<T>& norm, T value, Index cols, double tolerance) {
  constexpr double root_eps = 0x1p-9;
  const Matrix<T> x = Matrix<T>::Constant(1, cols, value);
  const Matrix<double> g = support::normal_floats(1, cols, 1);
  const Derivative<T> found = norm.vjp(x, g.cast<T>(), norm.eps(root_eps));
  for (const T dw : found.dw) ASSERT_EQ(dw, 0) << norm.name << ", " << cols << " of " << value;
  for (Index j = 0; j < cols; ++j)
    ASSERT_NEAR(static_cast<double>(found.dx(0, j)) * root_eps, g(0, j) - g.mean(), tolerance)
        << norm.name << ", " << cols << " of " << value;
}

TEST(VjpRange, AConstantRowHasNoSlopeWhateverItsMeanRoundsTo) {
  for (const Index cols : {2, 5, 6, 9, 10, 11, 18, 100}) {
    for (const Named<double>& norm : centring<double>)  // sums of numbers below 4
      for (const double value : {0.1, -1e-3, 3.33e29, 1e160, -1e200, 1.7e308, 3e-170, 1.1e-320})
        expect_of_a_constant_row(norm, value, cols, 1e-14);
    for (const Named<float>& norm : centring<float>)  // 2⁻²⁵ of a unit that holds 4
      for (const float value : {0.1F, 1.43e11F, 1.2345e20F, -3e38F, 1e-40F})
        expect_of_a_constant_row(norm, value, cols, 0x1p-22);
  }
}

/// All alike but one, by a spacing: x̂ = 1/√(D − 1), and −√(D − 1) of the one. The mean is off by 2⁻¹⁴ of x − μ.
TEST(VjpRange, FloatsASpacingApartAreToldApart) {
  constexpr Index cols = 65535;
  Matrix<float> x = Matrix<float>::Constant(1, cols, 16777215);
  x(0, 7) -= 1;
  const Matrix<float> g = Matrix<float>::Ones(1, cols);
  const double others = 1 / std::sqrt(cols - 1.0);
  const std::vector<float> dw = centring<float>[1].vjp(x, g, 0).dw;
  EXPECT_NEAR(static_cast<double>(dw[0]) / others, 1, 0x1p-24);
  EXPECT_NEAR(static_cast<double>(dw[7]) * others, -1, 0x1p-24);
}

TEST(VjpRange, PartialRmsNormIsScaledByTheColumnsThatCount) {
  const Matrix<double> g = support::normal_floats(1, 8, 1);
  Matrix<double> x = support::normal_floats(1, 8);
  const RmsNormParams half{.eps = 0, .partial = 0.5};
  const Derivative<double> expected = of_rms_norm(x, g, half);
  for (const int k : {600, -600}) {
    const Derivative<double> found = of_rms_norm(x * std::exp2(k), g, half);
    EXPECT_EQ(found.dx * std::exp2(k), expected.dx) << k;
    EXPECT_EQ(found.dw, expected.dw) << k;
  }
}

}  // namespace
}  // namespace orrery::norm::vjp_range_test
