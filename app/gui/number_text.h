// Numbers as a person reads them in the window. Files and fields always get every digit.
#pragma once

#include <string>

#include "app/figure/table.h"
#include "core/parameter/parameter.h"
#include "core/parameter/settings.h"

namespace orrery::gui {

/// As printf.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// At most `digits` significant digits, a true minus sign: "0.399716", "3.1e−08".
std::string number_text(double x, int digits = 6);
/// A whole number in groups of three: "500 000".
std::string grouped(std::int64_t);
/// A parameter's value on its row: grouped, shortest, without a unit.
std::string value_text(const parameter::Value&);
/// "1.2 ms", "3.4 s": three digits at most.
std::string duration_text(double seconds);

/// How the values of one column are written: whole numbers in groups, or each with so many significant digits. Which
/// notation a value has is its own affair, so that it keeps it while its neighbours change: decimals, and a power of ten
/// only where they would be many.
struct ColumnStyle {
  bool whole = true;
  int digits = 6;
};
ColumnStyle column_style(const figure::Column&);
std::string cell_text(double value, ColumnStyle);

}  // namespace orrery::gui
