// A study's formula with its numbers put in, for StudyResult::worked.
//
//   Worked worked;                       // b, d: numbers; 1 stands in the name
//   worked.add("\\theta_1", power(term(base), -term(2) / d), theta[1]);     // \theta_1 = 10000^{-2/4} = 0.01
//   worked.add("y_0", cos(angle) * x - sin(angle) * z, after(0, 0));
//   return {…, worked.tex()};
//
// The result is what the study computed, by the reference; the expression is what a reader types into a calculator. It gets
// as many digits lead to all digits of the result that are shown, and a result that no digits lead to shows fewer: so the line is
// right at every setting, where sums cancel and angles are long too.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::study {

namespace worked {

/// An expression with its numbers rounded: as TeX, and what they give.
struct Written {
  /// What needs no parentheses beside what: the loosest first.
  enum class Binding { addition, signed_product, product, tight, atom };
  std::string tex;
  double value = 0;
  Binding binding = Binding::atom;
  bool exact = true;    ///< no number in it was rounded
  double rounding = 0;  ///< by how much doubles may be off that are computed as it says
};

/// A number or an expression of numbers, written with as many significant digits as are asked for.
class Term {
 public:
  using Writer = std::function<Written(int digits)>;
  Term(double number);  // NOLINT(google-explicit-constructor): numbers are put into formulas
  explicit Term(Writer writer) : writer_(std::move(writer)) {}
  Written written(int digits) const { return writer_(digits); }

 private:
  Writer writer_;
};

/// A number where arithmetic would take its neighbours for plain ones: term(2) / d.
inline Term term(double number) {
  return {number};
}

Term operator+(Term, Term);
Term operator-(Term, Term);
Term operator*(Term, Term);
Term operator/(Term, Term);  ///< on one line, as exponents have it
Term operator-(Term);
Term frac(Term over, Term under);
Term power(Term base, Term exponent);
Term sqrt(Term);
Term exp(Term);  ///< e^{…}
Term ln(Term);
Term cos(Term);
Term sin(Term);
Term tanh(Term);
Term abs(Term);
Term floor(Term);
Term min(Term, Term);
Term max(Term, Term);
Term two_pi();

/// The first two terms, and all others as the number that they come to; few terms in full.
Term sum(std::span<const Term>);

/// "\\theta_8", "y_{3,16}": a letter and its places.
std::string subscripted(std::string_view letter, double place);
std::string subscripted(std::string_view letter, double place, double second);

/// A number as TeX: −0.05, 131072, 1.2 \cdot 10^{-5}. Whole numbers below 10^7 keep all digits, and below 10^9 those that
/// have no more than are asked for.
std::string number_tex(double x, int significant);

}  // namespace worked

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
