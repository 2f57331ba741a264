// What the studies of the sinusoidal table declare in common, and the table that follows from it.
#pragma once

#include "app/study/kit/declare.h"
#include "app/study/twin.h"
#include "core/parameter/settings.h"

namespace orrery::study {

inline constexpr Parameter sinusoidal_width =
    whole("width", "Width", "128", {2, 1024}, "d: dimensions of the model",
          {.travel = Travel::powers_of_two, .multiple = 2});
inline constexpr Parameter sinusoidal_base =
    real("base", "Base", "10000", {2, 1e9}, "b: how much slower the last dimension is than the first",
         {.travel = Travel::log});
inline constexpr Parameter sinusoidal_layout =
    choice("layout", "Layout", "paper|tensor2tensor|fairseq",
           "sine and cosine side by side, or all sines before all cosines");

/// Layout and base as they are set; the first row of the table stands at `offset`.
position::SinusoidalParams sinusoidal_params(const parameter::Settings&, double offset = 0);

/// The dimensions in which a pair has its sine and its cosine.
struct SineCosine {
  tensor::Index sine, cosine;
};
SineCosine dimensions_of(tensor::Index pair, tensor::Index width, position::SinusoidalLayout);

/// How far a value of the table may be off, up to the position `last`: rounded once by the run's device, and at
/// an angle whose two factors and product were rounded to 53 bits.
double sinusoidal_slack(const Run&, double last);

/// The same of the dot product of two rows: each product is off by √2 of a value's slack at most, and adding d of
/// them up in double costs d 2⁻⁵³ each.
double sinusoidal_dot_slack(const Run&, tensor::Index width, double last);

}  // namespace orrery::study
