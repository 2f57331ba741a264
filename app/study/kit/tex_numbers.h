// Numbers inside formulas that a person with a pocket calculator types again: StudyResult::worked.
#pragma once

#include <string>

namespace orrery::study {

/// In so many significant digits, without grouping, as TeX has it: -0.5, 10922.67, 1.2 \cdot 10^{-5}.
std::string in_tex(double x, int significant = 6);

/// The same where a sign would stand between two operators: (-0.5).
std::string in_tex_as_factor(double x, int significant = 6);

/// What a person types for the text above.
double as_typed(double x, int significant = 6);

/// " = 2" where so many decimals say all of it, else " \approx 0.8808"; what they show as 0 has three digits.
std::string result_in_tex(double x, int decimals);

}  // namespace orrery::study
