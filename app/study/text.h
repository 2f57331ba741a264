// Numbers inside sentences and labels of figures.
#pragma once

#include <string>

namespace orrery::study {

/// Digits in groups of three with thin spaces, from five digits on: 8192, 10 000, 500 000. Other numbers in
/// the shortest text of their first six digits, with a true minus sign.
std::string grouped(double x);

/// So many decimals: −0.170.
std::string fixed_text(double x, int decimals);

/// A few significant digits, for a value beside its mark: −0.17, 1.28. A true minus sign. What is below 10⁻⁴, or has more
/// digits before its point, as scientific_text() has it.
std::string rounded_text(double x, int significant);

/// A few digits, or one, and a power of ten, as mathematics: $4 \times 10^{-16}$; 0 is 0, and numbers from 0.01 to 100 stand as
/// they are, with two digits.
std::string scientific_text(double x, int significant = 1);

/// A few significant digits for a sentence, never with an exponent in letters: 0.71, 120, 26 960; what is too small or too
/// large for that as scientific_text() has it.
std::string short_text(double x, int significant);

/// "1 pair", "29 pairs": the number, and the words for one or for many.
std::string amount(double n, const std::string& one, const std::string& many);

}  // namespace orrery::study
