#include "app/study/kit/fraction.h"

#include <cmath>
#include <optional>

namespace orrery::study {
namespace {

using Wide = Fraction::Wide;

constexpr Wide most_above = 9999, most_below = 999;  // read at a glance

constexpr Wide without_opposite = static_cast<Wide>(1) << 127;

/// Nothing where it needs more bits.
std::optional<Wide> wide_product(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result == without_opposite) return std::nullopt;
  return result;
}
std::optional<Wide> wide_sum(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_add_overflow(a, b, &result) || result == without_opposite) return std::nullopt;
  return result;
}

Wide common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// n ≥ 0 times itself so often; nothing where it grows too long.
std::optional<Wide> multiplied(Wide n, Wide times) {
  if (n <= 1) return times == 0 ? 1 : n;
  std::optional<Wide> result = 1;
  for (Wide i = 0; i < times && result; ++i) result = wide_product(*result, n);
  return result;
}

/// The whole root of n ≥ 0, where there is one.
std::optional<Wide> whole_root(Wide n, Wide degree) {
  if (n <= 1 || degree == 1) return n;
  const long double near =
      std::round(std::pow(static_cast<long double>(n), 1 / static_cast<long double>(degree)));
  for (Wide root = static_cast<Wide>(near) - 1; root <= static_cast<Wide>(near) + 1; ++root)
    if (root > 1 && multiplied(root, degree) == n) return root;
  return std::nullopt;
}

Wide magnitude(Wide n) {
  return n < 0 ? -n : n;
}

/// Of at most so many digits as one reads.
std::string whole_tex(Wide n) {
  return std::to_string(static_cast<std::int64_t>(n));
}

std::string over(bool negative, const std::string& above, const std::string& below) {
  const std::string sign = negative ? "-" : "";
  return below == "1" ? sign + above : sign + "\\frac{" + above + "}{" + below + "}";
}

std::string times_root(Wide c, Wide k) {
  if (k == 1) return whole_tex(c);
  return (c == 1 ? "" : whole_tex(c)) + "\\sqrt{" + whole_tex(k) + "}";
}

}  // namespace

Fraction Fraction::reduced(Wide n, Wide d) {
  if (d == 0) return {};
  if (d < 0) n = -n, d = -d;
  const Wide divisor = common_divisor(n, d);
  Fraction f;
  f.n_ = n / divisor;
  f.d_ = d / divisor;
  return f;
}

Fraction Fraction::of(double x) {
  std::int64_t power_of_ten = 1;
  for (int decimals = 0; decimals <= 6; ++decimals, power_of_ten *= 10) {
    const double n = std::round(x * static_cast<double>(power_of_ten));
    if (!(std::abs(n) < 1e9)) break;
    if (n / static_cast<double>(power_of_ten) == x) return {static_cast<std::int64_t>(n), power_of_ten};
  }
  return {};
}

Fraction operator+(const Fraction& a, const Fraction& b) {
  if (!a.known() || !b.known()) return {};
  const Wide shared = common_divisor(a.d_, b.d_), of_a = b.d_ / shared, of_b = a.d_ / shared;
  const auto left = wide_product(a.n_, of_a), right = wide_product(b.n_, of_b),
             under = wide_product(a.d_, of_a);
  const auto over = left && right ? wide_sum(*left, *right) : std::nullopt;
  return over && under ? Fraction::reduced(*over, *under) : Fraction();
}

Fraction operator-(const Fraction& a, const Fraction& b) {
  return a + -b;
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.is(0) || b.is(0)) return 0;  // whatever the other is
  if (!a.known() || !b.known()) return {};
  const Fraction first = Fraction::reduced(a.n_, b.d_), second = Fraction::reduced(b.n_, a.d_);
  const auto over = wide_product(first.n_, second.n_), under = wide_product(first.d_, second.d_);
  return over && under ? Fraction::reduced(*over, *under) : Fraction();
}

Fraction operator/(const Fraction& a, const Fraction& b) {
  const Fraction factor = inverse(b);
  return factor.known() ? a * factor : Fraction();
}

Fraction operator-(const Fraction& x) {
  return x.known() ? Fraction::reduced(-x.n_, x.d_) : Fraction();
}

Fraction inverse(const Fraction& x) {
  return x.known() ? Fraction::reduced(x.d_, x.n_) : Fraction();
}

bool equal(const Fraction& a, const Fraction& b) {
  return a.known() && b.known() && a.n_ == b.n_ && a.d_ == b.d_;
}

Fraction Fraction::whole_power(const Fraction& base, Wide exponent) {
  const Wide times = exponent < 0 ? -exponent : exponent;
  const auto over = multiplied(base.n_ < 0 ? -base.n_ : base.n_, times), under = multiplied(base.d_, times);
  if (!over || !under) return {};
  const Fraction result = reduced(base.n_ < 0 && times % 2 != 0 ? -*over : *over, *under);
  return exponent < 0 ? inverse(result) : result;
}

Fraction power(const Fraction& base, const Fraction& exponent) {
  if (exponent.is(0) || base.is(1)) return 1;
  if (!base.known() || !exponent.known()) return {};
  if (exponent.d_ == 1) return Fraction::whole_power(base, exponent.n_);
  if (base.n_ < 0) return {};
  const auto over = whole_root(base.n_, exponent.d_), under = whole_root(base.d_, exponent.d_);
  return over && under ? Fraction::whole_power(Fraction::reduced(*over, *under), exponent.n_) : Fraction();
}

double Surd::value() const {
  return c.value() * std::sqrt(static_cast<double>(k));
}

Surd root_of(const Fraction& v) {
  // √(p/q) = √(p q) / q; squares are taken out of p q by trial up to what one reads.
  constexpr Wide most_tried = 1'000'000'000'000;
  if (!v.known() || v.n() > most_tried || v.d() > most_tried || v.n() * v.d() > most_tried)
    return {Fraction()};
  const auto n = static_cast<std::int64_t>(v.n()), d = static_cast<std::int64_t>(v.d());
  std::int64_t rest = n * d, outside = 1;
  if (rest == 0) return {};
  for (std::int64_t f = 2; f * f <= rest && f <= 10000; ++f)
    while (rest % (f * f) == 0) {
      rest /= f * f;
      outside *= f;
    }
  return {Fraction(outside, d), rest};
}

Surd divided(const Fraction& x, const Surd& s) {
  return {x / (s.c * s.k), s.k};
}

std::string tex(const Fraction& f) {
  const Wide n = magnitude(f.n());
  if (!f.known() || n > most_above || f.d() > most_below) return {};
  return over(f.n() < 0, whole_tex(n), whole_tex(f.d()));
}

std::string tex(const Surd& s) {
  const Wide n = magnitude(s.c.n()), d = s.c.d();
  if (!s.known() || n > most_above || d > most_below * 10 || s.k > most_above) return {};
  if (n == 0) return "0";
  // −3√5/5 is written −3/√5.
  if (s.k > 1 && d % s.k == 0) return over(s.c.n() < 0, whole_tex(n), times_root(d / s.k, s.k));
  if (d > most_below) return {};
  return over(s.c.n() < 0, times_root(n, s.k), whole_tex(d));
}

}  // namespace orrery::study
