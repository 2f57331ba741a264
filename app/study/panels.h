// One part of a figure alone: what fits a column of text.
#pragma once

#include <string_view>

#include "app/figure/figure.h"

namespace orrery::study {

/// Keeps the panel whose name was chosen among `names` ("all|clocks|score": the first keeps everything, the
/// others stand in the order of the panels) and gives it the whole figure. A panel alone has no title: the
/// caption says it.
void show_only(figure::Figure&, std::string_view names, std::string_view chosen);

}  // namespace orrery::study
