// What a formula of typed numbers comes to where that is a fraction, for whoever must say = or \approx. It reads the TeX that
// stands on the page: a sum that swallows a term in double keeps it here, and what a root, e, a sine gives is a fraction
// only where that can be proved.
//
//   amount_of("\\frac{1 + 2}{4}").exact              3/4
//   amount_of("\\sqrt{10000^{2} + 10^{-12}}").exact   not known: no square
#pragma once

#include <string_view>

#include "app/study/kit/fraction.h"

namespace orrery::study::worked {

/// What an expression comes to: about, and exactly where that is a fraction.
struct Amount {
  double about = 0;
  Fraction exact{};
};

/// No number, and not known, where the TeX is more than arithmetic.
Amount amount_of(std::string_view tex);

}  // namespace orrery::study::worked
