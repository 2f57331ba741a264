// The sinusoidal table as a picture: built whole while it is small, sampled where it is asked for when it is not.
#pragma once

#include <cstdint>

#include "app/figure/figure.h"
#include "app/study/twin.h"

namespace orrery::study {

/// Which dimensions are its rows: all in their order, or the sines or the cosines of pair 0, 1, 2 …
enum class Waves : std::uint8_t { all, sines, cosines };

/// A position per column, a dimension or a pair per row.
figure::Panel sinusoidal_picture(const Run&, tensor::Index length, tensor::Index width,
                                 const position::SinusoidalParams&, Waves = Waves::all);

}  // namespace orrery::study
