// Numbers that ticks write as mathematics: powers, and those with a minus.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orrery::exporter {

/// Digits and signs alone, which a typeface for numbers can set: "2^{10}", "-5 \times 10^{-3}", "-0.5".
struct PlainNumber {
  std::string base;      ///< "−5×10"
  std::string exponent;  ///< "−3"; empty: none
};

/// Nothing for mathematics that says more, letters above all.
std::optional<PlainNumber> plain_number(std::string_view tex);

}  // namespace orrery::exporter
