// How fine a page's pixels may be, wherever that is asked: in a recipe, on the command line, in the window, in a file.
#pragma once

namespace orrery::figure {

inline constexpr double least_dpi = 10;
inline constexpr double most_dpi =
    2400;  ///< what the finest printers have; a slide at it is 15 118 × 8 504 pixels

}  // namespace orrery::figure
