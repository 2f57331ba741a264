#include "app/export/plain_number.h"

#include <gtest/gtest.h>

#include "app/export/setters.h"

namespace orrery::exporter::plain_number_test {
namespace {

TEST(PlainNumber, ATickOfDigitsIsOne) {
  const auto power = plain_number("10^{-3}"), scaled = plain_number("-2.5 \\times 10^{4}"),
             minus = plain_number("-0.5");
  ASSERT_TRUE(power && scaled && minus);
  EXPECT_EQ(power->base, "10");
  EXPECT_EQ(power->exponent, "\u22123");
  EXPECT_EQ(scaled->base, "\u22122.5\u00D710");
  EXPECT_EQ(scaled->exponent, "4");
  EXPECT_EQ(minus->base, "\u22120.5");
  EXPECT_EQ(minus->exponent, "");
  for (const char* tex : {"2^{n}", "\\pi/2", "10^{-3} m", "10^3", "10^{", "^{2}", "-", "", "\\sqrt{2}"})
    EXPECT_FALSE(plain_number(tex)) << tex;
}

// One axis, one face: 10² beside 100 in the mono of a screen, both in Latin Modern on paper.
TEST(PlainNumber, AnAxisHasOneFace) {
  const auto width = [](const figure::Theme& theme, const char* text) {
    const figure::TextStyle numbers{figure::Voice::numbers, 12, false};
    return shared_setter(theme.fonts)->measure(text, numbers).width;
  };
  const figure::Theme &dark = figure::dark_theme(), &print = figure::print_theme();
  EXPECT_NEAR(width(dark, "$10$"), width(dark, "10"), 1e-9);
  EXPECT_NEAR(width(dark, "$-8$"), width(dark, "\u22128"), 1e-9);
  // Two digits and a smaller one: 0.72 of a digit, 0.05 of the size before it.
  EXPECT_NEAR(width(dark, "$10^{2}$"), width(dark, "10") + 0.72 * width(dark, "2") + 0.05 * 12, 0.05);
  EXPECT_GT(width(print, "$10^{2}$"), width(print, "10"));
}

}  // namespace
}  // namespace orrery::exporter::plain_number_test
