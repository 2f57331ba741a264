// A study's formula with its numbers put in, for StudyResult::worked.
//
//   Worked worked;                       // b, d: numbers; 1 stands in the name
//   worked.add("\\theta_1", power(term(base), -term(2) / d), theta[1]);     // \theta_1 = 10000^{-2/4} = 0.01
//   worked.add("y_0", cos(angle) * x - sin(angle) * z, after(0, 0));
//   return {…, worked.tex()};
//
// The result is what the study computed, by the reference; the expression is what a reader types into a calculator. It gets
// as many digits as lead to all digits of the result that are shown, and a result that no digits lead to shows fewer: so the
// line is right at every setting, where sums cancel and angles are long too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/study/kit/worked_decimal.h"
#include "app/study/kit/worked_term.h"

namespace orrery::study {

/// Statements, apart by \quad.
class Worked {
 public:
  /// `name` = expression = `result`, which is of four digits, or in full where it is short and whoever calculates exactly,
  /// with the numbers as they are written, comes to it. What is no finite number is left out.
  Worked& add(std::string_view name, const worked::Term&, double result);
  const std::string& tex() const { return tex_; }

 private:
  std::string tex_;
};

/// Of a formula: several stand in one, a \quad between them.
std::vector<std::string_view> statements(std::string_view tex);
/// Where the last = or \approx of a statement stands, outside of braces and parentheses: there it may be broken. 0: nowhere.
std::size_t result_of_statement(std::string_view tex);

}  // namespace orrery::study
