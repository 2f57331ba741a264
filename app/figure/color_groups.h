// Colour scales of one group, across panels: one range, and one bar beside the rightmost of them, as high as all of them. Where
// another panel comes between at the right, the bar is as high as the panels of the rightmost's own rows.
#pragma once

#include <map>
#include <vector>

#include "app/figure/arrangement.h"
#include "app/figure/digest.h"
#include "app/figure/figure.h"

namespace orrery::figure {

struct ColorGroup {
  Range range;
  std::vector<int> panels;  ///< that hold a mark of it, of those on the page
  int bar = -1;  ///< the panel that the bar stands beside: the rightmost; −1: none of them is on the page
  std::vector<int> beside{};  ///< those of them that the bar is as high as
  bool wanted = false;        ///< whether any of the marks asks for a bar
};

/// By the number of the group; 0 is none. All panels have their part in the range, those on the page may have the bar.
std::map<int, ColorGroup> color_groups(const Figure&, const Digest&, const Arrangement&);
std::map<int, ColorGroup> color_groups(const Figure&);

}  // namespace orrery::figure
