// Numbers as a person reads them in the window. Files and fields always get every digit.
#pragma once

#include <string>

#include "app/figure/cell_text.h"
#include "core/parameter/parameter.h"
#include "core/parameter/settings.h"

namespace orrery::gui {

/// As printf.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// At most `digits` significant digits, a true minus sign: "0.399716", "3.1e−08".
std::string number_text(double x, int digits = 6);
using figure::grouped;
/// A parameter's value on its row: grouped, shortest, without a unit.
std::string value_text(const parameter::Value&);
/// "1.2 ms", "3.4 s": three digits at most.
std::string duration_text(double seconds);

}  // namespace orrery::gui
