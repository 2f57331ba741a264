#include "core/tensor/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/tensor/error.h"
#include "tests/support/reference.h"

namespace orrery::tensor::format_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The definition of IEEE 754's small formats, from the bits: the oracle here, and no part of the program.
struct Layout {
  Format format;
  int exponent_bits, fraction_bits;

  double decode(unsigned bits) const {
    const int fraction = static_cast<int>(bits & ((1u << fraction_bits) - 1));
    const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? std::nan("") : sign * infinity;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
  }
};

class SmallFormat : public testing::TestWithParam<Layout> {};

INSTANTIATE_TEST_SUITE_P(Formats, SmallFormat,
                         testing::Values(Layout{Format::f16, 5, 10}, Layout{Format::bf16, 8, 7}),
                         [](const auto& test) { return std::string(name(test.param.format)); });

TEST_P(SmallFormat, EveryOneOfThe65536ValuesIsItsOwnRounding) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const double x = GetParam().decode(bits);
    const double y = round_to(GetParam().format, x);
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(y)) << bits;
    } else {
      ASSERT_EQ(x, y) << bits;
      ASSERT_EQ(std::signbit(x), std::signbit(y)) << bits;
    }
  }
}

TEST_P(SmallFormat, MidpointsGoToEvenAndTheirNeighboursToTheNearer) {
  const Layout& layout = GetParam();
  const unsigned infinity_bits = ((1u << layout.exponent_bits) - 1) << layout.fraction_bits;
  for (unsigned bits = 0; bits + 1 < infinity_bits; ++bits) {
    const double below = layout.decode(bits), above = layout.decode(bits + 1);
    const double middle = below + (above - below) / 2;  // exact in double, and so are its neighbours' sides
    for (const double sign : {1.0, -1.0}) {
      ASSERT_EQ(round_to(layout.format, sign * middle), sign * (bits % 2 == 0 ? below : above)) << bits;
      ASSERT_EQ(round_to(layout.format, sign * std::nextafter(middle, 0)), sign * below) << bits;
      ASSERT_EQ(round_to(layout.format, sign * std::nextafter(middle, infinity)), sign * above) << bits;
    }
  }
}

TEST_P(SmallFormat, OverflowBeginsHalfAStepAboveTheLargestValue) {
  const FormatInfo& f = info(GetParam().format);
  const double step = std::ldexp(1.0, std::ilogb(f.max) - GetParam().fraction_bits);
  const double threshold = f.max + step / 2;
  EXPECT_EQ(round_to(GetParam().format, std::nextafter(threshold, 0)), f.max);
  EXPECT_EQ(round_to(GetParam().format, threshold), infinity);
  EXPECT_EQ(round_to(GetParam().format, -threshold), -infinity);
  EXPECT_EQ(round_to(GetParam().format, std::numeric_limits<double>::max()), infinity);
}

TEST(Format, RoundsOnceNotThroughFloat) {
  // Just above the midpoint of 1 and 1 + 2^-10. A float would make it the midpoint itself, and the tie would
  // go down.
  const double above_tie = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(round_to(Format::f16, above_tie), 1 + 0x1p-10);
  EXPECT_EQ(static_cast<double>(f16(static_cast<float>(above_tie))), 1.0) << "the trap itself is gone?";
  EXPECT_EQ(round_to(Format::bf16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(round_to(Format::bf16, 1 + 3 * 0x1p-8 - 0x1p-40), 1 + 0x1p-7);
}

TEST(Format, ConstantsAreThePublishedOnes) {
  const auto& fp16 = support::reference_values().at("fp16");
  EXPECT_EQ(info(Format::f16).max, fp16.at("max").get<double>());
  EXPECT_EQ(info(Format::f16).min_normal, fp16.at("min_normal").get<double>());
  EXPECT_EQ(round_to(Format::f16, fp16.at("rounds_to_inf_at").get<double>()), infinity);
  EXPECT_EQ(round_to(Format::f16, fp16.at("min_subnormal").get<double>()), 0x1p-24);
  for (const auto& [eps, rounded] : fp16.at("eps_in_fp16").items()) {
    EXPECT_EQ(round_to(Format::f16, std::stod(eps)), rounded.get<double>()) << eps;
  }
  const double x = fp16.at("largest_x_with_finite_square_on_fp16_grid").get<double>();
  EXPECT_EQ(x * x, fp16.at("its_square_exact").get<double>());
  EXPECT_EQ(round_to(Format::f16, x * x), 65472.0);

  const auto& bf = support::reference_values().at("bf16");
  EXPECT_EQ(info(Format::bf16).max, bf.at("max").get<double>());
  EXPECT_EQ(info(Format::bf16).unit_roundoff, bf.at("unit_roundoff").get<double>());
  for (const auto& [position, rounded] : bf.at("positions_rounded").items()) {
    EXPECT_EQ(round_to(Format::bf16, std::stod(position)), rounded.get<double>()) << position;
  }
}

TEST(Format, SumsOfOnesStallWherePublished) {
  const auto stalls_at = [](Format format) {
    double sum = 0;
    for (int i = 0; i < 4096; ++i) sum = round_to(format, sum + 1);
    return sum;
  };
  const auto& bf = support::reference_values().at("bf16");
  EXPECT_EQ(stalls_at(Format::bf16), bf.at("naive_sum_of_4096_ones_bf16").get<double>());
  EXPECT_EQ(stalls_at(Format::f16), bf.at("naive_sum_of_4096_ones_fp16").get<double>());
}

TEST(Format, FloatIsTheProcessorsOwnRounding) {
  EXPECT_EQ(round_to(Format::f32, 0.1), static_cast<double>(0.1f));
  EXPECT_EQ(round_to(Format::f32, 0x1p-150), 0.0);  // a tie between 0 and the least subnormal
  EXPECT_EQ(round_to(Format::f32, 0x1.8p-150), 0x1p-149);
  EXPECT_EQ(round_to(Format::f32, 0x1.ffffffp127), infinity);  // the midpoint beyond the largest
  EXPECT_EQ(round_to(Format::f64, 0x1p-1074), 0x1p-1074);
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    const FormatInfo& f = info(format);
    EXPECT_EQ(round_to(format, f.max), f.max) << f.name;
    EXPECT_EQ(round_to(format, f.min_normal), f.min_normal) << f.name;
    EXPECT_EQ(round_to(format, 1 + f.unit_roundoff), 1.0) << f.name;  // the tie above 1
    EXPECT_EQ(round_to(format, 1 + 2 * f.unit_roundoff), 1 + 2 * f.unit_roundoff) << f.name;
    EXPECT_EQ(f.unit_roundoff, std::ldexp(1.0, -f.precision)) << f.name;
  }
}

TEST(Format, WholeSpansAreRoundedLikeTheirElements) {
  const std::vector<double> x{0.1, -65520, 1e-8, 3.1415926535, -0.0, std::nan("")};
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    std::vector<double> doubles = x;
    round_to(format, std::span(doubles));
    std::vector<float> floats(x.begin(), x.end());
    round_to(format, std::span(floats));
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      EXPECT_EQ(doubles[i], round_to(format, x[i]));
      EXPECT_EQ(floats[i],
                static_cast<float>(round_to(format, static_cast<double>(static_cast<float>(x[i])))));
    }
    EXPECT_TRUE(std::isnan(doubles.back()));
    EXPECT_TRUE(std::isnan(floats.back()));
    EXPECT_TRUE(std::signbit(doubles[4]));
  }
}

TEST(Format, NamesGoBothWays) {
  for (const Format format : {Format::f64, Format::f32, Format::f16, Format::bf16}) {
    EXPECT_EQ(format_from_name(name(format)), format);
    EXPECT_EQ(visit(format, [](auto zero) { return format_of<decltype(zero)>; }), format);
    EXPECT_EQ(visit(format, [](auto zero) { return static_cast<int>(sizeof zero); }), info(format).bytes);
  }
  try {
    format_from_name("fp16");
    FAIL() << "fp16 was accepted";
  } catch (const InvalidArgument& e) {
    EXPECT_STREQ(e.what(), "number format: found 'fp16'; allowed: f64, f32, f16, bf16");
  }
}

}  // namespace
}  // namespace orrery::tensor::format_test
