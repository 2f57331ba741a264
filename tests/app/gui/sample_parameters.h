// Numbers to turn, to draw and to play.
#pragma once

#include "core/parameter/parameter.h"

namespace orrery::gui {

/// On a log way, and on an even one.
inline constexpr parameter::Parameter base{.name = "base",
                                           .kind = parameter::Kind::real,
                                           .fallback = "10",
                                           .min = 1,
                                           .max = 1e6,
                                           .travel = parameter::Travel::log};
inline constexpr parameter::Parameter mix{
    .name = "mix", .kind = parameter::Kind::real, .fallback = "0", .min = -1, .max = 1};

}  // namespace orrery::gui
