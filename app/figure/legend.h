// Which line is which: a sample and a word for every mark that has a label.
#pragma once

#include <cstddef>

#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

struct LegendEntry {
  int mark = 0;  ///< index in the panel
  std::string text;
  double sample = 2;  ///< width of the piece of the mark beside the words, text sizes
  double width = 0;   ///< of the words, at their size
  bool hidden = false;
  double size = 1;  ///< of the words, times the theme's text size
};

/// The entries of a panel, measured; `hidden` marks are kept, shown faintly, so that they can be switched on
/// again.
std::vector<LegendEntry> legend_entries(const Panel&, int panel_index, const View&, const Theme&,
                                        const TextMetrics&);

/// The same with shorter samples and smaller words, so that more of them stand in a row.
std::vector<LegendEntry> tightened(std::vector<LegendEntry>, const Theme&, const TextMetrics&);

/// What is drawn of a panel's legend, wherever it stands.
struct Legend {
  const std::vector<LegendEntry>& entries;
  const Panel& panel;
  int panel_index;
  const Theme& theme;
  const TextMetrics& metrics;
};

/// What one entry takes, and how it is drawn with its left end at `at`, in a row of that height.
double legend_entry_width(const LegendEntry&, const Theme&);
double legend_row_height(const Theme&, const TextMetrics&);
/// Where the words of an entry begin, from its left end.
double legend_words_at(const LegendEntry&, const Theme&);
void draw_legend_entry(const Legend&, const LegendEntry&, Point at, double height, Scene&);

/// Height of entries set in rows above a plot of this width; 0 without entries.
double legend_above_height(const std::vector<LegendEntry>&, double width, const Theme&, const TextMetrics&);
void draw_legend_above(const Legend&, const Rect& strip, Scene&);

/// Width of entries set one below the other beside a plot, with the gap before them; 0 without entries.
double legend_beside_width(const std::vector<LegendEntry>&, const Theme&);
/// As many as the strip is high enough for.
void draw_legend_beside(const Legend&, const Rect& strip, Scene&);

/// A plot that a legend seeks its place in.
struct LegendRoom {
  const Rect& plot;
  LegendPlace place;
  std::size_t first;              ///< the first primitive that is data
  const std::vector<Rect>& grid;  ///< boxes of the grid lines
};

/// Draws the legend inside the plot; for `best`, where it covers none of the data and no grid line strikes through its
/// words. Returns false, and draws nothing, when there is no such place or the legend has no room at all.
bool draw_legend_inside(const Legend&, const LegendRoom&, Scene&);

}  // namespace orrery::figure
