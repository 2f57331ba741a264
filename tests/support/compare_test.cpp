// The ruler is measured too: what it must let pass, and what it must not.
#include "tests/support/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string_view>

#include "tests/support/inputs.h"

namespace orrery::support::compare_test {
namespace {

using tensor::Bound;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Comparison compared(std::initializer_list<double> result, std::initializer_list<double> reference,
                    Bound bound, tensor::Format format = tensor::Format::f64) {
  return compare(View<const double>(result.begin(), 1, tensor::Index(result.size())),
                 View<const double>(reference.begin(), 1, tensor::Index(reference.size())), bound, format);
}

TEST(Compare, EqualIsWithinTheNarrowestBound) {
  EXPECT_TRUE(compared({1, -2, 0, nan, infinity}, {1, -2, 0, nan, infinity}, {}).within);
  EXPECT_FALSE(compared({1}, {1 + 1e-15}, {}).within);
}

TEST(Compare, EachPartOfABoundAllowsWhatItSays) {
  const double loose = 1;  // of the sum of squares, which is not what is tested here
  EXPECT_TRUE(compared({5.1}, {5}, {.abs = 0.11, .nmse = loose}).within);
  EXPECT_FALSE(compared({5.1}, {5}, {.abs = 0.09, .nmse = loose}).within);
  EXPECT_TRUE(compared({5.1}, {5}, {.rel = 0.021, .nmse = loose}).within);
  EXPECT_FALSE(compared({5.1}, {5}, {.rel = 0.019, .nmse = loose}).within);
  EXPECT_TRUE(compared({0.1, 5}, {0, 5}, {.nmse = loose, .row = 0.021}).within);
  EXPECT_FALSE(compared({0.1, 5}, {0, 5}, {.nmse = loose, .row = 0.019}).within);
  // The sum of squares alone: every element is fine, all of them together are not.
  const Comparison c = compared({1.1, 1.1}, {1, 1}, {.rel = 0.2, .nmse = 0.009});
  EXPECT_EQ(c.fault, "nmse");
  EXPECT_NEAR(c.nmse, 0.01, 1e-12);
  EXPECT_TRUE(compared({1.1, 1.1}, {1, 1}, {.rel = 0.2, .nmse = 0.011}).within);
  // What abs forgives each element, it forgives the sum.
  EXPECT_TRUE(compared({1e-40, 0}, {0, 1e-40}, {.abs = 1e-38}).within);
}

TEST(Compare, NanAndInfinitiesMustAgreeInPlaceAndSign) {
  const Bound generous{.abs = 1e300, .rel = 1, .nmse = 1e300};
  EXPECT_EQ(compared({nan}, {1}, generous).fault, "NaN");
  EXPECT_EQ(compared({1}, {nan}, generous).fault, "NaN");
  EXPECT_EQ(compared({infinity}, {1}, generous).fault, "infinity");
  EXPECT_EQ(compared({1}, {infinity}, generous).fault, "infinity");
  EXPECT_EQ(compared({-infinity}, {infinity}, generous).fault, "infinity");
  EXPECT_EQ(compared({nan}, {infinity}, generous).fault, "NaN");
}

TEST(Compare, AReferenceBeyondTheFormatIsInfinity) {
  EXPECT_TRUE(compared({infinity}, {1e60}, {}, tensor::Format::f32).within);
  EXPECT_FALSE(compared({infinity}, {1e60}, {}, tensor::Format::f64).within);
  EXPECT_FALSE(compared({infinity}, {-1e60}, {}, tensor::Format::f32).within);
  // 65520 is the first value that rounds to infinity in f16 (ties to even), 65504 the largest that does not.
  EXPECT_TRUE(compared({infinity}, {65520}, {}, tensor::Format::f16).within);
  EXPECT_FALSE(compared({infinity}, {65519}, {}, tensor::Format::f16).within);
}

TEST(Compare, ReportsTheWorstElement) {
  const Comparison c = compared({1, 2.5, 3.1}, {1, 2, 3}, {.abs = 1, .nmse = 1});
  EXPECT_TRUE(c.within);
  EXPECT_EQ(c.col, 1);
  EXPECT_EQ(c.result, 2.5);
  EXPECT_EQ(c.reference, 2);
  EXPECT_DOUBLE_EQ(c.used, 0.5);
  EXPECT_DOUBLE_EQ(c.max_abs, 0.5);
  EXPECT_DOUBLE_EQ(c.max_rel, 0.25);
  EXPECT_NE(c.text().find("within, 0.5 of the bound at [0, 1]: 2.5 for 2"), std::string::npos) << c.text();
  EXPECT_EQ(compared({1, 2}, {1}, {}).fault, "shape");
}

TEST(GuardedMatrix, NoticesAWriteOnEverySide) {
  for (const std::ptrdiff_t outside : {-1, 3, -20, 2 * 20 + 3, 3 * 20 - 1}) {
    GuardedMatrix<float> m(3, 3);
    m.view().eigen().setConstant(7);
    EXPECT_TRUE(m.intact());
    ASSERT_EQ(m.view().stride, 20);
    m.view().data[outside] = 7;
    EXPECT_FALSE(m.intact()) << outside;
  }
}

TEST(Inputs, AreFloatsAndWhatTheyAreCalled) {
  const auto square = [](double x) { return float(x) * float(x); };
  const std::map<std::string_view, std::function<bool(const Matrix<double>&)>> promised{
      {"zeros", [](const Matrix<double>& m) { return m.isZero(0); }},
      {"ones", [](const Matrix<double>& m) { return m == Matrix<double>::Ones(3, 257); }},
      {"one_hot", [](const Matrix<double>& m) { return m.sum() == 3 && m(1, 1) == 1; }},
      {"alternating", [](const Matrix<double>& m) { return std::abs(m.row(1).sum()) == 1; }},
      {"huge", [&](const Matrix<double>& m) { return std::isinf(square(m.maxCoeff())); }},
      {"tiny", [&](const Matrix<double>& m) { return square(m.maxCoeff()) == 0; }},
      {"subnormal", [](const Matrix<double>& m) { return m.maxCoeff() > 0 && m.maxCoeff() < 0x1p-126; }},
      {"common_mean", [](const Matrix<double>& m) { return std::abs(m.mean() - 1e4) < 0.2; }},
      {"normal", [](const Matrix<double>& m) { return std::abs(m.squaredNorm() / 771 - 1) < 0.2; }},
  };
  EXPECT_EQ(input_sets().size(), promised.size());
  for (const InputSet& set : input_sets()) {
    const Matrix<double> m = set.make(3, 257);
    EXPECT_EQ(m, m.cast<float>().cast<double>()) << set.name;
    EXPECT_EQ(m, set.make(3, 257)) << set.name;
    ASSERT_TRUE(promised.contains(set.name)) << set.name;
    EXPECT_TRUE(promised.at(set.name)(m)) << set.name;
  }
}

}  // namespace
}  // namespace orrery::support::compare_test
