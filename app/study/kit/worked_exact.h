// What a formula of typed numbers comes to where that is a fraction, for whoever must say = or \approx. It reads the TeX that
// stands on the page: a sum that swallows a term in double keeps it here, and what a root, e, a sine gives is a fraction
// only where that can be proved.
//
//   amount_of("\\frac{1 + 2}{4}").exact              3/4
//   amount_of("\\sqrt{10000^{2} + 10^{-12}}").exact   not known: no square
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::study::worked {

/// n/d in lowest terms, d > 0; not known where it is no fraction, or one of more than 127 bits.
class Exact {
 public:
  Exact() = default;  ///< not known
  // NOLINTNEXTLINE(google-explicit-constructor): numbers are fractions
  Exact(std::int64_t whole) : n_(whole), d_(1) {}
  bool known() const { return d_ > 0; }
  bool whole() const { return d_ == 1; }
  bool is(std::int64_t whole) const { return d_ == 1 && n_ == whole; }

  friend Exact operator+(const Exact&, const Exact&);
  friend Exact operator*(const Exact&, const Exact&);
  friend Exact operator-(const Exact&);
  friend Exact inverse(const Exact&);
  /// A fraction to the power of a fraction: of a root only where it comes out even.
  friend Exact power(const Exact& base, const Exact& exponent);
  friend bool equal(const Exact&, const Exact&);  ///< both known, and the same

 private:
  using Wide = __int128;
  static Exact reduced(Wide n, Wide d);
  static Exact whole_power(const Exact& base, Wide exponent);
  Wide n_ = 0, d_ = 0;
};

/// What an expression comes to: about, and exactly where that is a fraction.
struct Amount {
  double about = 0;
  Exact exact{};
};

/// No number, and not known, where the TeX is more than arithmetic.
Amount amount_of(std::string_view tex);

}  // namespace orrery::study::worked
