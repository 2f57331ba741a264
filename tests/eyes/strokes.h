// The straight strokes of a page, as pdftocairo draws it.
#pragma once

#include <string>
#include <vector>

#include "tests/eyes/printed.h"

namespace orrery::eyes {

/// Of an SVG of Cairo's: each straight piece of every path that is stroked, where it stands on the page, times `scale`.
std::vector<Stroke> strokes_of(const std::string& svg, double scale);

}  // namespace orrery::eyes
