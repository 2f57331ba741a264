// Numbers as one writes them by hand: fractions, and fractions times the root of a whole number.
//
//   Fraction::of(2.5) / 3                     5/6
//   root_of(Fraction(5, 4))                   √5 / 2
//   power(Fraction(8, 27), Fraction(2, 3))    4/9; of 8/3 it is not known
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

namespace orrery::study {

/// n/d in lowest terms, d > 0; or not known: what is no fraction, or one of more than 127 bits. What is made with one that is
/// not known is not known, but for 0 times it and for powers that are 1 whatever it is.
class Fraction {
 public:
  using Wide = __int128;

  Fraction() = default;  ///< not known
  // NOLINTNEXTLINE(google-explicit-constructor): whole numbers are fractions
  Fraction(std::int64_t n, std::int64_t d = 1) : Fraction(reduced(n, d)) {}
  Fraction(std::floating_point auto) = delete;  ///< it would lose what is behind the point: of(x)
  /// A number of at most nine digits with at most six decimals; else not known.
  static Fraction of(double);

  bool known() const { return d_ > 0; }
  bool whole() const { return d_ == 1; }
  bool is(std::int64_t whole) const { return d_ == 1 && n_ == whole; }
  Wide n() const { return n_; }
  Wide d() const { return d_; }
  double value() const { return static_cast<double>(n_) / static_cast<double>(d_); }

  friend Fraction operator+(const Fraction&, const Fraction&);
  friend Fraction operator-(const Fraction&, const Fraction&);
  friend Fraction operator*(const Fraction&, const Fraction&);
  friend Fraction operator/(const Fraction&, const Fraction&);  ///< by 0: not known
  friend Fraction operator-(const Fraction&);
  friend Fraction inverse(const Fraction&);
  /// A fraction to the power of a fraction: of a root only where it comes out even.
  friend Fraction power(const Fraction& base, const Fraction& exponent);
  friend bool equal(const Fraction&, const Fraction&);  ///< both known, and the same

 private:
  static Fraction reduced(Wide n, Wide d);
  static Fraction whole_power(const Fraction& base, Wide exponent);
  Wide n_ = 0, d_ = 0;
};

/// c √k, k without a square in it.
struct Surd {
  Fraction c = 0;
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
