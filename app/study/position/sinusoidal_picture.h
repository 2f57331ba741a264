// The sinusoidal table as a picture: built whole while it is small, sampled where it is asked for when it is not.
#pragma once

#include "app/figure/figure.h"
#include "app/study/twin.h"

namespace orrery::study {

/// A position per column, a dimension per row.
figure::Panel sinusoidal_picture(const Run&, tensor::Index length, tensor::Index width,
                                 const position::SinusoidalParams&);

}  // namespace orrery::study
