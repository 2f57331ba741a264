// Which line is which: a sample and a word for every mark that has a label.
#pragma once

#include <cstddef>
#include <set>

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

struct LegendEntry {
  int mark = 0;  ///< index in the panel
  std::string text;
  double sample = 2;  ///< width of the piece of the mark beside the words, text sizes
  double width = 0;   ///< of the words
  bool hidden = false;
  double size = 1;  ///< of the words, times the theme's text size
};

/// The entries of a panel, measured; `hidden` marks are kept, shown faintly, so that they can be switched on
/// again.
std::vector<LegendEntry> legend_entries(const Panel&, int panel_index, const View&, const Theme&,
                                        const TextMetrics&);

/// Height of entries set in rows above a plot of this width; 0 without entries.
double legend_above_height(const std::vector<LegendEntry>&, double width, const Theme&, const TextMetrics&);
void draw_legend_above(const std::vector<LegendEntry>&, const Panel&, int panel_index, const Rect& strip,
                       const Theme&, const TextMetrics&, Scene&);

/// Width of entries set one below the other beside a plot, with the gap before them; 0 without entries.
double legend_beside_width(const std::vector<LegendEntry>&, const Theme&);
/// As many as the strip is high enough for.
void draw_legend_beside(const std::vector<LegendEntry>&, const Panel&, int panel_index, const Rect& strip,
                        const Theme&, const TextMetrics&, Scene&);

/// Draws the legend inside the plot; for `best`, where it covers none of the primitives from `first` on and
/// no grid line strikes through its words. Returns false, and draws nothing, when there is no such place or
/// the legend has no room at all.
bool draw_legend_inside(const std::vector<LegendEntry>&, const Panel&, int panel_index, const Rect& plot,
                        LegendPlace, std::size_t first, const std::vector<Rect>& grid, const Theme&,
                        const TextMetrics&, Scene&);

}  // namespace orrery::figure
