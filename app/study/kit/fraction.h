// Numbers as one writes them by hand: fractions, and fractions times the root of a whole number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace orrery::study {

/// n/d in lowest terms, d > 0; or not known, where the numbers grew beyond 63 bits or were no short decimals. What is made
/// with one that is not known is not known.
class Fraction {
 public:
  Fraction() = default;  ///< 0
  Fraction(std::int64_t n, std::int64_t d);
  /// A number of at most nine digits with at most six decimals; else not known.
  static Fraction of(double);
  static Fraction unknown();

  bool known() const { return d_ > 0; }
  std::int64_t n() const { return n_; }
  std::int64_t d() const { return d_; }
  double value() const { return static_cast<double>(n_) / static_cast<double>(d_); }
  bool whole() const { return d_ == 1; }

  friend Fraction operator+(const Fraction&, const Fraction&);
  friend Fraction operator-(const Fraction&, const Fraction&);
  friend Fraction operator*(const Fraction&, const Fraction&);
  friend Fraction operator/(const Fraction&, const Fraction&);

 private:
  static Fraction reduced(__int128 n, __int128 d);
  std::int64_t n_ = 0, d_ = 1;
};

/// c √k, k without a square in it.
struct Surd {
  Fraction c{};
  std::int64_t k = 1;
  bool known() const { return c.known(); }
  double value() const;
};

/// √v of a fraction v ≥ 0.
Surd root_of(const Fraction& v);
/// x / s, s not 0.
Surd divided(const Fraction& x, const Surd& s);

/// "-\frac{3}{2}", "4"; empty where it is not known or has more digits than one reads: above 9999 over 999.
std::string tex(const Fraction&);
/// "-\frac{3}{\sqrt{5}}", "\frac{\sqrt{5}}{2}", the same.
std::string tex(const Surd&);

}  // namespace orrery::study
