#include "app/study/kit/fraction.h"

#include <cmath>
#include <limits>

namespace orrery::study {
namespace {

constexpr std::int64_t most_above = 9999, most_below = 999;  // read at a glance

__int128 greatest_common_divisor(__int128 a, __int128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

std::string over(bool negative, const std::string& above, const std::string& below) {
  const std::string sign = negative ? "-" : "";
  return below == "1" ? sign + above : sign + "\\frac{" + above + "}{" + below + "}";
}

std::string times_root(std::int64_t c, std::int64_t k) {
  if (k == 1) return std::to_string(c);
  return (c == 1 ? "" : std::to_string(c)) + "\\sqrt{" + std::to_string(k) + "}";
}

}  // namespace

Fraction::Fraction(std::int64_t n, std::int64_t d) {
  *this = reduced(n, d);
}

Fraction Fraction::unknown() {
  Fraction none;
  none.d_ = 0;
  return none;
}

Fraction Fraction::reduced(__int128 n, __int128 d) {
  if (d == 0) return unknown();
  const __int128 g = greatest_common_divisor(n, d), sign = d < 0 ? -1 : 1;
  n = sign * n / g;
  d = sign * d / g;
  constexpr __int128 most = std::numeric_limits<std::int64_t>::max();
  if (n > most || n < -most || d > most) return unknown();
  Fraction f;
  f.n_ = static_cast<std::int64_t>(n);
  f.d_ = static_cast<std::int64_t>(d);
  return f;
}

Fraction Fraction::of(double x) {
  std::int64_t power = 1;
  for (int decimals = 0; decimals <= 6; ++decimals, power *= 10) {
    const double n = std::round(x * static_cast<double>(power));
    if (!(std::abs(n) < 1e9)) break;
    if (n / static_cast<double>(power) == x) return {static_cast<std::int64_t>(n), power};
  }
  return unknown();
}

// Products of two 63-bit numbers stay within 126 bits, and a sum of two of those within 127.
Fraction operator+(const Fraction& a, const Fraction& b) {
  if (!a.known() || !b.known()) return Fraction::unknown();
  return Fraction::reduced(__int128(a.n_) * b.d_ + __int128(b.n_) * a.d_, __int128(a.d_) * b.d_);
}
Fraction operator-(const Fraction& a, const Fraction& b) {
  return a + b * Fraction(-1, 1);
}
Fraction operator*(const Fraction& a, const Fraction& b) {
  if (!a.known() || !b.known()) return Fraction::unknown();
  return Fraction::reduced(__int128(a.n_) * b.n_, __int128(a.d_) * b.d_);
}
Fraction operator/(const Fraction& a, const Fraction& b) {
  if (!a.known() || !b.known()) return Fraction::unknown();
  return Fraction::reduced(__int128(a.n_) * b.d_, __int128(a.d_) * b.n_);
}

double Surd::value() const {
  return c.value() * std::sqrt(static_cast<double>(k));
}

Surd root_of(const Fraction& v) {
  // √(p/q) = √(p q) / q; squares are taken out of p q by trial up to what one reads.
  const Fraction product = Fraction(v.n(), 1) * Fraction(v.d(), 1);
  constexpr std::int64_t most_tried = 1'000'000'000'000;
  if (!v.known() || !product.known() || product.n() > most_tried) return {Fraction::unknown()};
  std::int64_t rest = product.n(), outside = 1;
  if (rest == 0) return {};
  for (std::int64_t f = 2; f * f <= rest && f <= 10000; ++f)
    while (rest % (f * f) == 0) {
      rest /= f * f;
      outside *= f;
    }
  return {Fraction(outside, v.d()), rest};
}

Surd divided(const Fraction& x, const Surd& s) {
  return {x / (s.c * Fraction(s.k, 1)), s.k};
}

std::string tex(const Fraction& f) {
  const std::int64_t n = f.n() < 0 ? -f.n() : f.n();
  if (!f.known() || n > most_above || f.d() > most_below) return {};
  return over(f.n() < 0, std::to_string(n), std::to_string(f.d()));
}

std::string tex(const Surd& s) {
  const std::int64_t n = s.c.n() < 0 ? -s.c.n() : s.c.n(), d = s.c.d();
  if (!s.known() || n > most_above || d > most_below * 10 || s.k > most_above) return {};
  if (n == 0) return "0";
  // −3√5/5 is written −3/√5.
  if (s.k > 1 && d % s.k == 0) return over(s.c.n() < 0, std::to_string(n), times_root(d / s.k, s.k));
  if (d > most_below) return {};
  return over(s.c.n() < 0, times_root(n, s.k), std::to_string(d));
}

}  // namespace orrery::study
