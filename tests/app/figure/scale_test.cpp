#include "app/figure/scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/figure/scene.h"
#include "core/tensor/error.h"

namespace orrery::figure::scale_test {
namespace {

// Back and forth costs a logarithm and an exponential, each right to about an ulp; the logarithm's absolute
// error is multiplied by the value's own size when it comes back, so that |log v| ≤ 25 ulps are left. 1e-13
// leaves a factor of four.
constexpr double round_trip = 1e-13;

TEST(Scale, UnitAndInvertAreInverses) {
  const struct {
    Scale scale;
    Range range;
  } cases[] = {{Scale::linear(), {-3, 8}},       {Scale::linear(), {1e5, 1e5 + 2}},
               {Scale::log(10), {1e-8, 1e3}},    {Scale::log(2), {1, 16384}},
               {Scale::symlog(1e-3), {-10, 10}}, {Scale::symlog(1), {0, 1e6}},
               {Scale::symlog(2), {-50, -1e-3}}};
  for (const auto& c : cases)
    for (int i = 0; i <= 100; ++i) {
      const double u = i / 100.0, v = c.scale.invert(u, c.range);
      EXPECT_NEAR(c.scale.unit(v, c.range), u, 1e-11);  // 1e5 + 2: the range is a 5e-5th of the value
      EXPECT_NEAR(c.scale.invert(c.scale.unit(v, c.range), c.range), v,
                  round_trip * std::max(std::abs(v), c.range.length()));
    }
}

TEST(Scale, EndsAreExact) {
  for (const Scale& s : {Scale::linear(), Scale::log(10), Scale::log(2), Scale::symlog(0.1)}) {
    const Range r{0.3, 7000};
    EXPECT_EQ(s.unit(r.lo, r), 0);
    EXPECT_EQ(s.unit(r.hi, r), 1);
    EXPECT_EQ(s.invert(0, r), r.lo);
    EXPECT_EQ(s.invert(1, r), r.hi);
  }
}

TEST(Scale, KnownValues) {
  EXPECT_DOUBLE_EQ(Scale::linear().unit(0, {-1, 3}), 0.25);
  EXPECT_DOUBLE_EQ(Scale::log(10).unit(10, {1, 1000}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(Scale::log(2).unit(128, {1, 16384}), 0.5);
  EXPECT_DOUBLE_EQ(Scale::symlog(1).unit(0, {-99, 99}), 0.5);
  EXPECT_DOUBLE_EQ(Scale::symlog(1).unit(9, {0, 99}), 0.5);  // log10(1 + 9) of log10(1 + 99)
}

TEST(Scale, LogHasNoZero) {
  EXPECT_TRUE(std::isnan(Scale::log().unit(0, {1, 10})));
  EXPECT_TRUE(std::isnan(Scale::log().unit(-1, {1, 10})));
  EXPECT_GT(Scale::log().clamp({-5, 100}).lo, 0);
  EXPECT_EQ(Scale::log().clamp({-5, 100}).hi, 100);
  EXPECT_EQ(Scale::log(2).clamp({-5, -1}), (Range{1, 2}));
  EXPECT_EQ(Scale::linear().clamp({-5, -1}), (Range{-5, -1}));
}

TEST(Scale, RefusesWhatIsNoScale) {
  EXPECT_THROW(Scale::log(1), InvalidArgument);
  EXPECT_THROW(Scale::log(0), InvalidArgument);
  EXPECT_THROW(Scale::log(std::nan("")), InvalidArgument);
  EXPECT_THROW(Scale::symlog(0), InvalidArgument);
  EXPECT_THROW(Scale::symlog(-1), InvalidArgument);
}

TEST(PanelFrame, PageAndDataAreInverses) {
  for (const bool x_reversed : {false, true})
    for (const bool y_reversed : {false, true}) {
      PanelFrame f;
      f.plot = {12, 7, 200, 90};
      f.x = {1, 16384};
      f.x_scale = Scale::log(2);
      f.y = {-4, 9};
      f.x_reversed = x_reversed;
      f.y_reversed = y_reversed;
      for (double x : {1.0, 3.0, 100.0, 16384.0})
        for (double y : {-4.0, 0.1, 9.0}) {
          const auto [bx, by] = f.to_data(f.to_page(x, y));
          EXPECT_NEAR(bx, x,
                      1e-11 * x);  // a page coordinate of 212 carries 14 digits of a log that multiplies x
          EXPECT_NEAR(by, y, 1e-12 * 13);
        }
      const Point low = f.to_page(1, -4);
      EXPECT_DOUBLE_EQ(low.x, x_reversed ? 212 : 12);
      EXPECT_DOUBLE_EQ(low.y, y_reversed ? 7 : 97);  // y down: the least value at the bottom
    }
}

}  // namespace
}  // namespace orrery::figure::scale_test
