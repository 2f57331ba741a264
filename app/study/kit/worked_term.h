// Terms: formulas whose numbers are put in with as many digits as are asked for, and what they give with these. Arithmetic and
// functions are written as they are in C++; parentheses come by themselves.
//
//   frac(1, term(2) + x).written(3)      \frac{1}{2 + 0.333}, 0.42863…
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>

namespace orrery::study::worked {

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

}  // namespace orrery::study::worked
