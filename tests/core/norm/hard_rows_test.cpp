// The norms on rows whose errors do not average out, in float under their bounds, and in double where rounding a mean or
// squaring a value spoils what the formula says.
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "core/norm/batch_norm.h"
#include "core/norm/group_norm.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/norm/scale_norm.h"
#include "tests/support/hard_rows.h"
#include "tests/support/within.h"

namespace orrery::norm::hard_rows_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

TEST(HardRows, OfFloatsAreWithinTheBounds) {
  support::expect_on_hard_rows(
      "rms_norm", rms_norm_bound, [](const auto& x, auto& y) { rms_norm_cpu<float>(x, {}, {}, y); },
      [](const auto& x, auto& y) { rms_norm_ref(x, {}, {}, y); });
  support::expect_on_hard_rows(
      "scale_norm", scale_norm_bound, [](const auto& x, auto& y) { scale_norm_cpu<float>(x, 2, {}, y); },
      [](const auto& x, auto& y) { scale_norm_ref(x, 2, {}, y); });
  support::expect_on_hard_rows(
      "layer_norm", layer_norm_bound, [](const auto& x, auto& y) { layer_norm_cpu<float>(x, {}, {}, {}, y); },
      [](const auto& x, auto& y) { layer_norm_ref(x, {}, {}, {}, y); });
}

using Twin = void (*)(const Matrix<double>& x, double eps, Matrix<double>& y);

struct Named {
  const char* name;
  Twin twin;
};

/// All that take a mean off, ref and cpu, with the row as what it is taken of.
constexpr Named centring[] = {
    {"layer_norm_ref",
     [](const auto& x, double eps, auto& y) { layer_norm_ref(x, {}, {}, {.eps = eps}, y); }},
    {"layer_norm_cpu",
     [](const auto& x, double eps, auto& y) { layer_norm_cpu<double>(x, {}, {}, {.eps = eps}, y); }},
    {"annotated, ref",
     [](const auto& x, double eps, auto& y) {
       layer_norm_ref(x, {}, {}, {.eps = eps, .variant = LayerNormVariant::annotated}, y);
     }},
    {"annotated, cpu",
     [](const auto& x, double eps, auto& y) {
       layer_norm_cpu<double>(x, {}, {}, {.eps = eps, .variant = LayerNormVariant::annotated}, y);
     }},
    {"group_norm_ref",
     [](const auto& x, double eps, auto& y) { group_norm_ref(x, {}, {}, {.eps = eps, .groups = 1}, y); }},
    {"group_norm_cpu", [](const auto& x, double eps,
                          auto& y) { group_norm_cpu<double>(x, {}, {}, {.eps = eps, .groups = 1}, y); }},
    {"batch_norm_ref",
     [](const auto& x, double eps, auto& y) {
       Matrix<double> turned = x.transpose(), result(x.cols(), 1);
       batch_norm_ref(turned, {}, {}, {.eps = eps}, result);
       y = result.transpose();
     }},
    {"batch_norm_cpu",
     [](const auto& x, double eps, auto& y) {
       Matrix<double> turned = x.transpose(), result(x.cols(), 1);
       batch_norm_cpu<double>(turned, {}, {}, {.eps = eps}, result);
       y = result.transpose();
     }},
};

constexpr Named scaling[] = {
    {"rms_norm_ref", [](const auto& x, double eps, auto& y) { rms_norm_ref(x, {}, {.eps = eps}, y); }},
    {"rms_norm_cpu",
     [](const auto& x, double eps, auto& y) { rms_norm_cpu<double>(x, {}, {.eps = eps}, y); }},
    {"rms_norm_cpu, outside",
     [](const auto& x, double eps, auto& y) {
       rms_norm_cpu<double>(x, {}, {.eps = eps, .eps_place = EpsPlace::outside}, y);
     }},
    {"rms_norm_cpu, partial", [](const auto& x, double eps,
                                 auto& y) { rms_norm_cpu<double>(x, {}, {.eps = eps, .partial = 0.75}, y); }},
    {"scale_norm_ref", [](const auto& x, double eps, auto& y) { scale_norm_ref(x, 2, {.eps = eps}, y); }},
    {"scale_norm_cpu",
     [](const auto& x, double eps, auto& y) { scale_norm_cpu<double>(x, 2, {.eps = eps}, y); }},
};

TEST(HardRows, AConstantRowOfDoublesIsZerosWhateverItsMeanRoundsTo) {
  for (const Named& each : centring) {
    for (const Index cols : {3, 7, 100, 4096}) {
      for (const double value : {0.1, 13.7, 10000.3, -1e-3, 1e160, 3e-170, 1.1e-320}) {
        const Matrix<double> x = Matrix<double>::Constant(1, cols, value);
        Matrix<double> y(1, cols);
        each.twin(x, 1e-12, y);
        EXPECT_TRUE((y.array() == 0).all())
            << each.name << ", " << cols << " of " << value << ": " << y(0, 0);
        each.twin(x, 0, y);  // 0 · ∞
        EXPECT_TRUE(y.array().isNaN().all())
            << each.name << ", " << cols << " of " << value << ": " << y(0, 0);
      }
    }
  }
}

/// y(2^k x) is y(x) to the bit, with ε = 0, wherever no value is subnormal; but batch_norm_cpu adds such a column in
/// another order.
void expect_no_scale(const Named& each, int k) {
  for (const support::HardRow& row : support::hard_rows(300)) {
    const std::string& name = row.name;
    const Matrix<double>& x = row.x;
    if (name == "subnormal") continue;
    const Matrix<double> scaled = x * std::exp2(k);
    Matrix<double> expected(1, x.cols()), y(1, x.cols());
    each.twin(x, 0, expected);
    each.twin(scaled, 0, y);
    const double allowed = std::string_view(each.name) == "batch_norm_cpu" ? 1e-13 : 0;
    for (Index j = 0; j < x.cols(); ++j)
      EXPECT_TRUE(std::abs(y(0, j) - expected(0, j)) <= allowed * std::abs(expected(0, j)) ||
                  (std::isnan(y(0, j)) && std::isnan(expected(0, j))))
          << each.name << ", " << name << " · 2^" << k << ": " << y(0, j) << ", not " << expected(0, j);
  }
}

TEST(HardRows, SquaresThatLeaveDoubleChangeNoDigit) {
  for (const int k : {531, -531, 900, -900, 990}) {
    for (const Named& each : centring) expect_no_scale(each, k);
    for (const Named& each : scaling) expect_no_scale(each, k);
  }
}

TEST(HardRows, NanAndInfinitiesOfDoublesStayWhatTheyWere) {
  Matrix<double> x = Matrix<double>::Constant(1, 20, 1e160), y(1, 20);
  x(0, 3) = INFINITY;
  for (const Named& each : centring) {
    each.twin(x, 1e-5, y);
    EXPECT_TRUE(y.array().isNaN().all()) << each.name;
  }
  for (const Named& each : scaling) {
    each.twin(x, 1e-5, y);
    EXPECT_TRUE(std::isnan(y(0, 3))) << each.name;
    EXPECT_EQ(y(0, 4), 0) << each.name;
  }
}

// Values near 1 spread by 1e-9 about a mean of −1e5: to a few of the spacings of x, 1.5e-11, over σ.
TEST(HardRows, AMeanFarFromZeroCostsWhatXItselfLost) {
  Matrix<double> x(1, 4096);
  for (Index j = 0; j < x.cols(); ++j) x(0, j) = -1e5 + 1e-9 * static_cast<double>(j % 5 - 2);
  // What the doubles are, exactly: whole multiples of their spacing from the first, in integers.
  long double mean = 0, squares = 0;
  for (Index j = 0; j < x.cols(); ++j) mean += static_cast<long double>(x(0, j) + 1e5);
  mean /= x.cols();
  for (Index j = 0; j < x.cols(); ++j) {
    const long double centred = static_cast<long double>(x(0, j) + 1e5) - mean;
    squares += centred * centred;
  }
  const long double deviation = std::sqrt(squares / x.cols());
  for (const Named& each : {centring[0], centring[1], centring[4], centring[5], centring[6], centring[7]}) {
    Matrix<double> y(1, x.cols());
    each.twin(x, 0, y);
    for (Index j = 0; j < x.cols(); ++j)
      ASSERT_NEAR(y(0, j), static_cast<double>((static_cast<long double>(x(0, j) + 1e5) - mean) / deviation),
                  1e-13)
          << each.name;
  }
}

}  // namespace
}  // namespace orrery::norm::hard_rows_test
