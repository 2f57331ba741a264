#include "app/study/kit/worked.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "app/study/kit/worked_exact.h"

namespace orrery::study {
namespace worked {
namespace {

using enum Written::Binding;
using Binding = Written::Binding;

constexpr int most_digits = 17;  // as many as tell any two doubles apart
// What is below is written without a power of ten: any number, and a whole one that is asked for to its last digit.
constexpr double largest_plain = 1e7, largest_whole = 1e9;

std::string digits_of(double x, std::chars_format format, int precision) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, format, precision).ptr};
}

double read(const std::string& digits) {
  double x = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), x);
  return x;
}

/// "12300e-7" has no zeros at its end that say nothing: "1.23e-3".
std::string without_zeros(std::string mantissa) {
  if (mantissa.find('.') == std::string::npos) return mantissa;
  mantissa.erase(mantissa.find_last_not_of('0') + 1);
  if (mantissa.back() == '.') mantissa.pop_back();
  return mantissa;
}

bool is_written_whole(double x, int significant) {
  const double size = std::abs(x);
  return x == std::round(x) &&
         (size < largest_plain || (size < largest_whole && size < std::pow(10, significant)));
}

/// A decimal number, or a digit and more times a power of ten where that is shorter to read.
struct Decimal {
  std::string mantissa;
  int exponent = 0;  ///< 0: none is written
  double value = 0;

  std::string tex() const {
    if (exponent == 0) return mantissa;
    const std::string power = "10^{" + std::to_string(exponent) + "}";
    if (mantissa == "1") return power;
    return mantissa == "-1" ? "-" + power : mantissa + " \\cdot " + power;
  }
};

/// 1.2300e-05: so many digits, or as few as give the number back where that many would.
std::string scientific_of(double x, int significant) {
  if (significant < most_digits) return digits_of(x, std::chars_format::scientific, significant - 1);
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific).ptr};
}

/// With all its zeros.
Decimal decimal(double x, int significant) {
  if (x == 0) return {"0", 0, 0};
  if (!std::isfinite(x)) return {"\\infty", 0, x};  // Worked leaves it out
  const std::string scientific = scientific_of(x, significant);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  const double value = read(scientific);
  if (exponent < -4 || std::abs(value) >= largest_plain) return {scientific.substr(0, e), exponent, value};
  const auto digits = static_cast<int>(
      std::ranges::count_if(scientific.substr(0, e), [](char c) { return c >= '0' && c <= '9'; }));
  const int decimals = std::max(0, digits - 1 - exponent);
  return {digits_of(value, std::chars_format::fixed, decimals), 0, value};
}

Decimal short_decimal(double x, int significant) {
  if (is_written_whole(x, significant)) return {digits_of(x == 0 ? 0 : x, std::chars_format::fixed, 0), 0, x};
  Decimal d = decimal(x, significant);
  d.mantissa = without_zeros(std::move(d.mantissa));
  return d;
}

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

std::string number_tex(double x, int significant) {
  return short_decimal(x, significant).tex();
}

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

std::string subscripted(std::string_view letter, double place) {
  const std::string text = number_tex(place, most_digits);
  return std::string(letter) + (text.size() == 1 ? "_" + text : "_{" + text + "}");
}
std::string subscripted(std::string_view letter, double place, double second) {
  return std::string(letter) + "_{" + number_tex(place, most_digits) + "," + number_tex(second, most_digits) +
         "}";
}

Term sum(std::span<const Term> terms) {
  constexpr std::size_t in_full = 3, shown = 2;
  if (terms.empty()) return {0};
  Term all = terms[0];
  const std::size_t written = terms.size() <= in_full ? terms.size() : shown;
  for (std::size_t i = 1; i < written; ++i) all = all + terms[i];
  if (written == terms.size()) return all;
  double others = 0, size = 0;
  Exact exactly = 0;
  for (std::size_t i = written; i < terms.size(); ++i) {
    const Written each = terms[i].written(most_digits);
    others += each.value;
    size += std::abs(others) + each.rounding / u;
    if (exactly.known()) exactly = exactly + (each.exact ? amount_of(each.tex).exact : Exact());
  }
  return all + Term([number = Term(others), rounding = u * size, exactly](int digits) {
           Written w = number.written(digits);
           w.exact = equal(amount_of(w.tex).exact, exactly);
           w.rounding = rounding;
           return w;
         });
}

}  // namespace worked

namespace {

using worked::Decimal;
using worked::Term;
using worked::Written;

/// Four digits, and more where the whole part has them.
int digits_wanted(double x) {
  constexpr int usual = 4;
  if (x == 0) return 1;
  const int whole = static_cast<int>(std::floor(std::log10(std::abs(x)))) + 1;
  return whole > usual && std::abs(x) < worked::largest_plain ? whole : usual;
}

/// Of the last digit that so many significant ones have.
double unit(double x, int significant) {
  return x == 0 ? 1e-9 : std::pow(10, std::floor(std::log10(std::abs(x))) + 1 - significant);
}

/// The expression with as few digits as lead to so many of the result.
const Written* leads_to(double result, int significant, std::span<const Written> candidates) {
  constexpr double part = 0.3;  // of the last digit's unit; rounding the result itself takes one half
  for (const Written& each : candidates)
    if (std::abs(each.value - result) + each.rounding <= part * unit(result, significant)) return &each;
  return nullptr;
}

}  // namespace

Worked& Worked::add(std::string_view name, const Term& expression, double result) {
  if (!std::isfinite(result)) return *this;
  std::vector<Written> candidates;
  constexpr int fewest = 6;  // more than results have
  for (int digits = fewest; digits <= worked::most_digits; ++digits)
    candidates.push_back(expression.written(digits));
  if (!std::isfinite(candidates.back().value)) return *this;

  constexpr int in_full = 8;  // digits of a result that is exact
  std::string shown, sign = " \\approx ";
  const Written* typed = nullptr;
  for (int digits = digits_wanted(result); digits > 0 && !typed; --digits) {
    typed = leads_to(result, digits, candidates);
    if (!typed) continue;
    shown = worked::decimal(result, digits).tex();
    const Decimal brief = worked::short_decimal(result, in_full);
    constexpr double as_good_as_equal = 1e-14;  // some roundings in double
    const auto equals = [&](double x) { return std::abs(x - result) <= as_good_as_equal * std::abs(result); };
    if (typed->exact && equals(brief.value) &&
        equal(worked::amount_of(typed->tex).exact, worked::amount_of(brief.tex()).exact)) {
      shown = brief.tex();
      sign = " = ";
    }
  }
  if (!typed) {  // what is left of numbers that cancel is their rounding
    typed = &candidates.back();
    shown = "0";
  }
  if (!tex_.empty()) tex_ += " \\quad ";
  tex_ += std::string(name) + " = " + typed->tex + sign + shown;
  return *this;
}

std::vector<std::string_view> statements(std::string_view tex) {
  const auto trimmed = [](std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == text.npos) return text.substr(0, 0);
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
  };
  constexpr std::string_view between = "\\quad";
  std::vector<std::string_view> statements;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    if (tex[at] == '{') ++depth;
    if (tex[at] == '}') --depth;
    if (depth > 0 || !tex.substr(at).starts_with(between)) continue;
    statements.push_back(trimmed(tex.substr(from, at - from)));
    from = at + between.size();
  }
  statements.push_back(trimmed(tex.substr(from)));
  return statements;
}

std::size_t result_of_statement(std::string_view tex) {
  std::size_t last = 0;
  int depth = 0;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    if (tex[at] == '{' || tex[at] == '(') ++depth;
    if (tex[at] == '}' || tex[at] == ')') --depth;
    if (depth == 0 && (tex[at] == '=' || tex.substr(at).starts_with("\\approx"))) last = at;
  }
  return last;
}

}  // namespace orrery::study
