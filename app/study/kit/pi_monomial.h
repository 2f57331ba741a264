// Numbers on the way through a formula: a fraction times a power of π, so that 2π over 2π is 1 and the cosine of π is −1.
//
//   two_pi * inverse(two_pi)       1
//   cosine(PiMonomial{π, 1, 1})    −1; cosine(PiMonomial{1, 1}) is 0.54… and no fraction
#pragma once

#include "app/study/kit/fraction.h"

namespace orrery::study::worked {

/// About, and exactly times π^pis where that is known.
struct PiMonomial {
  double about = 0;
  Fraction exact{};
  int pis = 0;
};

PiMonomial operator+(const PiMonomial&, const PiMonomial&);
PiMonomial operator-(const PiMonomial&);
PiMonomial operator*(const PiMonomial&, const PiMonomial&);
PiMonomial inverse(const PiMonomial&);
PiMonomial power(const PiMonomial& base, const PiMonomial& exponent);

/// The least or the largest of two that are clearly apart, or the same.
PiMonomial extreme(const PiMonomial&, const PiMonomial&, bool largest);
PiMonomial absolute(const PiMonomial&);
PiMonomial floor(const PiMonomial&);
/// A fraction for multiples of π/2 and of π/3.
PiMonomial cosine(const PiMonomial&);
PiMonomial sine(const PiMonomial&);

}  // namespace orrery::study::worked
