// The lines of a scene's axes and the ticks on them, and how far the page's are from there.
#pragma once

#include <string>
#include <vector>

#include "app/figure/scene.h"
#include "tests/eyes/printed.h"

namespace orrery::eyes {

struct Ruled {
  std::string name;  ///< "panel 2, tick 3 of the left axis"
  Stroke stroke;     ///< on the page, points
};

std::vector<Ruled> ruled_in(const figure::Scene&, double tick_length);

/// The farther of the two ends, to those of the nearest stroke; infinite where there is none.
double off_the_page(const Stroke&, const PrintedPage&);

}  // namespace orrery::eyes
