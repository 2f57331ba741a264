// Softmax of a row in narrow formats, against what PyTorch and IEEE arithmetic give.
#include "app/study/attention/softmax_formats.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace attention_softmax_test {
namespace {

using tensor::Format;

TEST(SoftmaxFormats, EndWhereExponentialsDo) {
  // ln of the largest number and half a unit.
  EXPECT_NEAR(largest_exponent(Format::f16), std::log(65520.0), 1e-12);
  EXPECT_NEAR(largest_exponent(Format::f32), std::log(0x1.ffffffp127), 1e-12);
  EXPECT_NEAR(largest_exponent(Format::bf16), std::log(std::ldexp(511.0 / 256, 127)), 1e-12);
  EXPECT_NEAR(least_exponent(Format::f16), -25 * std::log(2.0), 1e-12);  // half of the least subnormal 2^-24
}

TEST(SoftmaxFormats, RowsWithoutAVisibleKey) {
  const std::vector<double> scores{2, 1, 0.5, -1, 3};
  const auto weight = [&](Format format, int way) {
    return largest_weight_of_hidden(format, scores, ways_to_hide[std::size_t(way)]);
  };
  for (const Format format : {Format::f32, Format::bf16, Format::f16}) {
    EXPECT_TRUE(std::isnan(weight(format, 0)));  // −∞
    EXPECT_NEAR(weight(format, 1), 0.2, 1e-3);   // the scores are lost beside the least number
    EXPECT_TRUE(std::isnan(weight(format, 2)));  // twice that is −∞
  }
  EXPECT_NEAR(weight(Format::f32, 3), 0.2, 1e-7);   // units of 64 at 10⁹
  EXPECT_TRUE(std::isnan(weight(Format::f16, 3)));  // −10⁹ is −∞ there
  // −10⁴ leaves the row as if nothing were hidden: torch.softmax gives 0.6236 for the score 3 in float.
  EXPECT_NEAR(weight(Format::f32, 4), 0.6236, 1e-4);
}

TEST(SoftmaxFormats, WithoutTheMaximumAShiftDecides) {
  const auto finite = [](double shift) {
    const auto weights = softmax_in(Format::f16, {shift, shift - 1}, RowMaximum::left);
    return std::isfinite(weights[0]) && std::isfinite(weights[1]);
  };
  EXPECT_TRUE(finite(10));
  EXPECT_FALSE(finite(11.5));
  EXPECT_FALSE(finite(-20));
}

namespace attention_softmax_title {

bool says_largest(const titles::Said& said) {
  double sum = 0, most = 0;
  for (const double w : said.column("weights", "maximum left")) sum += w;
  for (const double w : said.column("weights", "weight")) most = std::max(most, w);
  if (sum < 0.5)
    return said
        .as("Without its maximum taken off this row has no softmax in " + said.settings.choice("format"))
        .has_value();
  const auto part = said.as("At a temperature of {} the largest logit has a weight of {}");
  return part && titles::says((*part)[0], said.settings.real("temperature"), 4) &&
         titles::says((*part)[1], most, 3);
}

const titles::Entries entries{{"attention/softmax", says_largest}};

}  // namespace attention_softmax_title

}  // namespace
}  // namespace attention_softmax_test
}  // namespace orrery::study
