// How a person reads a table's values, in the window and in the tables of a document. Files for programs get every digit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/figure/table.h"

namespace orrery::figure {

/// How the values of one column are written: whole numbers in groups, or each with so many significant digits. Which
/// notation a value has is its own affair, so that it keeps it while its neighbours change: decimals, and a power of ten
/// only where they would be many.
struct ColumnStyle {
  bool whole = true;
  int digits = 6;
};
ColumnStyle column_style(const Column&);

/// Digits with a true minus and thin spaces between groups of three, and the power of ten that they are multiplied by.
struct ShownNumber {
  std::string digits;
  std::optional<int> exponent{};
};
ShownNumber shown_number(double value, ColumnStyle);
/// On one line of one size: "−0.1700", "500 000", "3.1e−08".
std::string cell_text(double value, ColumnStyle);

/// A whole number in groups of three: "500 000".
std::string grouped(std::int64_t);

}  // namespace orrery::figure
