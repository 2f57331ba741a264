#include "app/study/kit/worked_term.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/study/kit/worked_decimal.h"
#include "app/study/kit/worked_exact.h"

namespace orrery::study::worked {
namespace {

using enum Written::Binding;
using Binding = Written::Binding;

Binding binding_of(const Decimal& d) {
  if (d.mantissa.starts_with('-')) return signed_product;
  if (d.exponent == 0) return atom;
  return d.mantissa == "1" ? tight : product;
}

std::string parenthesised(const std::string& tex) {
  const bool tall = tex.find("\\frac") != std::string::npos;
  return tall ? "\\left(" + tex + "\\right)" : "(" + tex + ")";
}

/// In parentheses where it binds less than its place asks for.
std::string placed(const Written& w, Binding least) {
  return w.binding < least ? parenthesised(w.tex) : w.tex;
}

constexpr double u = 0x1p-53;

/// `slope`: by how much more its argument's error counts.
Term of_one(Term x, auto&& write, auto&& slope) {
  return Term([x = std::move(x), write, slope](int digits) {
    const Written from = x.written(digits);
    Written made = write(from);
    made.exact = from.exact;
    made.rounding = slope(from.value, made.value) * from.rounding + u * std::abs(made.value);
    return made;
  });
}

/// `slope`: for the errors of both.
struct Slopes {
  double left, right;
};
Term of_two(Term a, Term b, auto&& write, auto&& slopes) {
  return Term([a = std::move(a), b = std::move(b), write, slopes](int digits) {
    const Written left = a.written(digits), right = b.written(digits);
    Written made = write(left, right);
    const Slopes slope = slopes(left.value, right.value, made.value);
    made.exact = left.exact && right.exact;
    made.rounding = slope.left * left.rounding + slope.right * right.rounding + u * std::abs(made.value);
    return made;
  });
}

constexpr auto as_it_is = [](double, double) { return 1.0; };
constexpr auto as_they_are = [](double, double, double) { return Slopes{1, 1}; };
constexpr auto of_a_quotient = [](double, double under, double value) {
  return Slopes{1 / std::abs(under), std::abs(value / under)};
};

Binding product_binding(const Written& left) {
  return left.binding == signed_product ? signed_product : product;
}

Term function(const char* name, Term x, double (*of)(double), auto&& slope) {
  const auto write = [name, of](const Written& w) {
    return Written{name + parenthesised(w.tex), of(w.value), tight};
  };
  return of_one(std::move(x), write, slope);
}

}  // namespace

Term::Term(double number)
    : writer_([number](int digits) {
        const Decimal d = short_decimal(number, digits);
        return Written{d.tex(), d.value, binding_of(d), d.value == number};
      }) {}

Term operator+(Term a, Term b) {
  const auto write = [](const Written& l, const Written& r) {
    const bool minus = r.tex.starts_with('-');
    return Written{l.tex + (minus ? " - " + r.tex.substr(1) : " + " + r.tex), l.value + r.value, addition};
  };
  return of_two(std::move(a), std::move(b), write, as_they_are);
}

Term operator-(Term a, Term b) {
  const auto write = [](const Written& l, const Written& r) {
    return Written{l.tex + " - " + placed(r, product), l.value - r.value, addition};
  };
  return of_two(std::move(a), std::move(b), write, as_they_are);
}

Term operator*(Term a, Term b) {
  const auto write = [](const Written& l, const Written& r) {
    return Written{placed(l, signed_product) + " \\cdot " + placed(r, product), l.value * r.value,
                   product_binding(l)};
  };
  return of_two(std::move(a), std::move(b), write, [](double l, double r, double) {
    return Slopes{std::abs(r), std::abs(l)};
  });
}

Term operator/(Term a, Term b) {
  const auto write = [](const Written& l, const Written& r) {
    return Written{placed(l, signed_product) + "/" + placed(r, tight), l.value / r.value, product_binding(l)};
  };
  return of_two(std::move(a), std::move(b), write, of_a_quotient);
}

Term operator-(Term x) {
  const auto write = [](const Written& w) {
    return Written{"-" + placed(w, product), -w.value, signed_product};
  };
  return of_one(std::move(x), write, as_it_is);
}

Term frac(Term over, Term under) {
  const auto write = [](const Written& l, const Written& r) {
    return Written{"\\frac{" + l.tex + "}{" + r.tex + "}", l.value / r.value, tight};
  };
  return of_two(std::move(over), std::move(under), write, of_a_quotient);
}

Term power(Term base, Term exponent) {
  const auto write = [](const Written& l, const Written& r) {
    return Written{placed(l, atom) + "^{" + r.tex + "}", std::pow(l.value, r.value), tight};
  };
  const auto slopes = [](double x, double y, double value) {
    return Slopes{x == 0 ? 0 : std::abs(value * y / x), x > 0 ? std::abs(value * std::log(x)) : 0};
  };
  return of_two(std::move(base), std::move(exponent), write, slopes);
}

Term sqrt(Term x) {
  const auto write = [](const Written& w) {
    return Written{"\\sqrt{" + w.tex + "}", std::sqrt(w.value), tight};
  };
  return of_one(std::move(x), write, [](double, double root) { return root > 0 ? 0.5 / root : 1; });
}

Term exp(Term x) {
  const auto write = [](const Written& w) { return Written{"e^{" + w.tex + "}", std::exp(w.value), tight}; };
  return of_one(std::move(x), write, [](double, double value) { return value; });
}

Term ln(Term x) {
  return function("\\ln", std::move(x), std::log, [](double v, double) { return 1 / std::abs(v); });
}
Term cos(Term x) {
  return function("\\cos", std::move(x), std::cos, as_it_is);
}
Term sin(Term x) {
  return function("\\sin", std::move(x), std::sin, as_it_is);
}
Term tanh(Term x) {
  return function("\\tanh", std::move(x), std::tanh, as_it_is);
}

Term abs(Term x) {
  const auto write = [](const Written& w) {
    const bool tall = w.tex.find("\\frac") != std::string::npos;
    return Written{tall ? "\\left|" + w.tex + "\\right|" : "|" + w.tex + "|", std::abs(w.value), tight};
  };
  return of_one(std::move(x), write, as_it_is);
}

Term floor(Term x) {
  const auto write = [](const Written& w) {
    return Written{"\\left\\lfloor " + w.tex + " \\right\\rfloor", std::floor(w.value), tight};
  };
  return of_one(std::move(x), write, [](double, double) { return 0.0; });
}

Term min(Term a, Term b) {
  const auto write = [](const Written& l, const Written& r) {
    return Written{"\\min" + parenthesised(l.tex + ", " + r.tex), std::min(l.value, r.value), tight};
  };
  return of_two(std::move(a), std::move(b), write, as_they_are);
}
Term max(Term a, Term b) {
  const auto write = [](const Written& l, const Written& r) {
    return Written{"\\max" + parenthesised(l.tex + ", " + r.tex), std::max(l.value, r.value), tight};
  };
  return of_two(std::move(a), std::move(b), write, as_they_are);
}

Term two_pi() {
  return Term([](int) { return Written{"2\\pi", 2 * std::numbers::pi, product}; });
}

Term sum(std::span<const Term> terms) {
  constexpr std::size_t in_full = 3, shown = 2;
  if (terms.empty()) return {0};
  Term all = terms[0];
  const std::size_t written = terms.size() <= in_full ? terms.size() : shown;
  for (std::size_t i = 1; i < written; ++i) all = all + terms[i];
  if (written == terms.size()) return all;
  double others = 0, size = 0;
  Fraction exactly = 0;
  for (std::size_t i = written; i < terms.size(); ++i) {
    const Written each = terms[i].written(most_digits);
    others += each.value;
    size += std::abs(others) + each.rounding / u;
    if (exactly.known()) exactly = exactly + (each.exact ? amount_of(each.tex).exact : Fraction());
  }
  return all + Term([number = Term(others), rounding = u * size, exactly](int digits) {
           Written w = number.written(digits);
           w.exact = equal(amount_of(w.tex).exact, exactly);
           w.rounding = rounding;
           return w;
         });
}

}  // namespace orrery::study::worked
