// How well one colour is read on another, as the Web Content Accessibility Guidelines 2.1 measure it.
#pragma once

#include <cstdint>

#include "app/figure/ink.h"

namespace orrery::figure {

/// Of one channel of sRGB, 0 to 1.
double linear_light(std::uint8_t channel);
/// Light that an sRGB colour sends out, 0 (black) to 1 (white); its opacity does not count.
double luminance(Color);
/// 1 (one colour) to 21 (black and white). Words want 4.5.
double contrast(Color, Color);
/// `top` as it looks over an opaque ground.
Color over(Color top, Color ground);

}  // namespace orrery::figure
