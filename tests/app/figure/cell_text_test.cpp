// A table's values as a person reads them.
#include "app/figure/cell_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::figure::cell_text_test {
namespace {

TEST(CellText, AValueKeepsItsNotationWhateverStandsBesideIt) {
  const ColumnStyle fixed = column_style({"wavelength", "", {6.2831853, 14.27, 301.5}, 5}),
                    wide = column_style({"wavelength", "", {6.2831853, 4e6, 2e-7}, 5});
  for (const ColumnStyle& style : {fixed, wide}) {
    EXPECT_EQ(cell_text(6.2831853, style), "6.2832");
    EXPECT_EQ(cell_text(301.5, style), "301.50");
    EXPECT_EQ(cell_text(11.61, style), "11.610");
    EXPECT_EQ(cell_text(2e-7, style), "2.0000e\u221207");
    EXPECT_EQ(cell_text(-3e11, style), "\u22123.0000e+11");
    EXPECT_EQ(cell_text(-0.0, style), "0");
    EXPECT_EQ(cell_text(std::nan(""), style), "NaN");
    EXPECT_EQ(cell_text(-INFINITY, style), "\u2212\u221E");
  }
  const ColumnStyle whole = column_style({"pair", "", {0, 1, 31}, 6});
  EXPECT_EQ(cell_text(31, whole), "31");
  EXPECT_EQ(cell_text(-131072, whole), "\u2212131\u2009072");
}

TEST(CellText, APowerOfTenStandsApart) {
  const ShownNumber shown = shown_number(-2.5e-8, {.whole = false, .digits = 3});
  EXPECT_EQ(shown.digits, "\u22122.50");
  EXPECT_EQ(shown.exponent, -8);
  EXPECT_FALSE(shown_number(0.25, {.whole = false}).exponent);
}

}  // namespace
}  // namespace orrery::figure::cell_text_test
