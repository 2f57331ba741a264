// Two titles that differ in a letter, such as those of both sides of a comparison, in lines that end alike.
#pragma once

#include <string>
#include <vector>

#include "app/figure/layout.h"

namespace orrery::figure {

/// The lines of `title`: words that have room on a line of one of them alone go to the next on both. Without another as wrap().
std::vector<std::string> wrap_alike(const std::string& title, const std::string& other, const TextStyle&,
                                    double width, const TextMetrics&);

}  // namespace orrery::figure
