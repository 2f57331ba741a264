// Which studies a person means by a few letters.
#pragma once

#include <string_view>

#include "app/study/study.h"

namespace orrery::gui {

/// Every word of what was typed occurs in the study: in its names, its words, its formula, its source or its
/// parameters. Capitals do not matter, and θ finds \theta.
bool matches(const study::Study&, std::string_view typed);

}  // namespace orrery::gui
