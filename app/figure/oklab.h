// OKLab (Ottosson 2020): a colour space in which equal steps look about equally large.
#pragma once

#include "app/figure/ink.h"

namespace orrery::figure {

struct OkLab {
  double L = 0, a = 0, b = 0;  ///< lightness 0 to 1; green–red; blue–yellow
};

OkLab to_oklab(Color);
/// The nearest colour of the same lightness and hue that sRGB has: chroma is what gives way.
Color from_oklab(OkLab);
OkLab from_polar(double lightness, double chroma, double hue_degrees);

}  // namespace orrery::figure
