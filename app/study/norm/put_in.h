// Numbers put into a formula for StudyResult::worked, with more digits than the result shows.
#pragma once

#include <span>
#include <string>

namespace orrery::study {

/// In so many significant digits: 2.5, (-0.5), 1.2 \cdot 10^{-5}; a negative one in parentheses.
std::string put_in(double x, int significant = 9);

/// "2 + 0.5 + (-1)".
std::string sum_put_in(std::span<const double> x);
/// "2^{2} + 0.5^{2} + (-1)^{2}".
std::string squares_put_in(std::span<const double> x);

/// "name = numbers \approx result", the result in so many significant digits.
std::string statement(const std::string& name, const std::string& numbers, double result,
                      int significant = 5);

}  // namespace orrery::study
