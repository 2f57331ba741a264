// How a number is written in a formula, as TeX: how many digits it has, when it takes a power of ten, which zeros stand.
//
//   number_tex(131072, 3)      131072                        whole: in full
//   number_tex(1.2e-5, 3)      1.2 \cdot 10^{-5}
//   decimal(0.25, 4).tex()     0.2500                        of a result, all digits that are known
#pragma once

#include <string>
#include <string_view>

namespace orrery::study::worked {

constexpr int most_digits = 17;  ///< as many as tell any two doubles apart

/// A decimal number, or a digit and more times a power of ten where that is shorter to read.
struct Decimal {
  std::string mantissa;
  int exponent = 0;  ///< 0: none is written
  double value = 0;  ///< what stands there

  std::string tex() const;
};

/// Of so many significant digits, with all its zeros.
Decimal decimal(double x, int significant);
/// Without the zeros at its end. Whole numbers below 10^7 keep all digits, and below 10^9 those that have no more than are
/// asked for.
Decimal short_decimal(double x, int significant);

/// How many digits a result is shown with, where all of them are right: four, and more where the whole part has them.
int digits_wanted(double x);
/// The unit of the last of so many significant digits.
double last_digit_unit(double x, int significant);

/// A number as TeX, as short_decimal writes it: −0.05, 131072, 1.2 \cdot 10^{-5}.
std::string number_tex(double x, int significant);

/// "\\theta_8", "y_{3,16}": a letter and its places.
std::string subscripted(std::string_view letter, double place);
std::string subscripted(std::string_view letter, double place, double second);

}  // namespace orrery::study::worked
