#include "app/study/kit/pi_monomial.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace orrery::study::worked {
namespace {

/// Farther from each other than doubles are off.
bool clearly_apart(double a, double b) {
  return std::abs(a - b) > 1e-9 * (1 + std::abs(a) + std::abs(b));
}

}  // namespace

PiMonomial operator+(const PiMonomial& a, const PiMonomial& b) {
  const double about = a.about + b.about;
  if (b.exact.is(0)) return {about, a.exact, a.pis};
  if (a.exact.is(0)) return {about, b.exact, b.pis};
  return {about, a.pis == b.pis ? a.exact + b.exact : Fraction(), a.pis};
}
PiMonomial operator-(const PiMonomial& x) {
  return {-x.about, -x.exact, x.pis};
}
PiMonomial operator*(const PiMonomial& a, const PiMonomial& b) {
  return {a.about * b.about, a.exact * b.exact, a.pis + b.pis};
}
PiMonomial inverse(const PiMonomial& x) {
  return {1 / x.about, inverse(x.exact), -x.pis};
}

PiMonomial power(const PiMonomial& base, const PiMonomial& exponent) {
  const bool plain = base.pis == 0 && exponent.pis == 0;
  return {std::pow(base.about, exponent.about), plain ? power(base.exact, exponent.exact) : Fraction()};
}

PiMonomial extreme(const PiMonomial& a, const PiMonomial& b, bool largest) {
  PiMonomial one = (a.about > b.about) == largest ? a : b;
  if (!clearly_apart(a.about, b.about) && !(a.pis == b.pis && equal(a.exact, b.exact))) one.exact = {};
  return one;
}

PiMonomial absolute(const PiMonomial& x) {
  PiMonomial size = x.about < 0 ? -x : x;
  if (!x.exact.is(0) && !clearly_apart(x.about, 0)) size.exact = {};
  return size;
}

PiMonomial floor(const PiMonomial& x) {
  constexpr double longest = 1e15;
  if (x.exact.whole() && x.pis == 0) return x;
  const double down = std::floor(x.about);
  const bool sure = clearly_apart(x.about, std::round(x.about)) && std::abs(x.about) < longest;
  return {down, sure ? Fraction(static_cast<std::int64_t>(down)) : Fraction()};
}

PiMonomial cosine(const PiMonomial& x) {
  constexpr double longest = 1e9;
  const double value = std::cos(x.about), turns = x.about / std::numbers::pi;
  if (x.exact.is(0)) return {value, 1};
  if (x.pis != 1 || std::abs(turns) > longest) return {value};
  if ((x.exact * 2).whole()) return {value, std::llround(value)};
  return {value, (x.exact * 3).whole() ? Fraction(value > 0 ? 1 : -1, 2) : Fraction()};
}
PiMonomial sine(const PiMonomial& x) {
  if (x.exact.is(0)) return {0, 0};
  const PiMonomial quarter{-std::numbers::pi / 2, Fraction(-1, 2), 1};
  PiMonomial result = x.pis == 1 ? cosine(x + quarter) : PiMonomial{};
  result.about = std::sin(x.about);
  return result;
}

}  // namespace orrery::study::worked
