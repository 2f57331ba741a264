// Words that stand in lines, as those of a table do, in a panel that became too low or too narrow for them.
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "app/figure/figure.h"
#include "app/figure/layout.h"

namespace orrery::figure {

/// What all notes of a panel without axes are written smaller by, so that no line of them stands on the next, no
/// word on its neighbour, and none goes over the edge of the plot: 1 where
/// they have room, and never so small that nobody reads them.
double crowded_notes_scale(const Panel&, const PanelFrame&, const Theme&, const TextMetrics&);

/// Of a panel that holds lines of words and nothing else, as a table does, and is too low for them even in their smallest
/// letters: how much further apart they stand, from the top of the plot down, so that the first ones can be read.
struct CutTable {
  double stretch = 1;
  std::set<std::size_t>
      gone{};  ///< marks that have no room then, those of the last line that has among them …
  std::optional<std::size_t> dots{};  ///< … and the one of that line in whose place an ellipsis says so
};
CutTable cut_table(const Panel&, const PanelFrame&, const Theme&, const TextMetrics&);

/// What notes with a room of their own are written smaller by, all by the same, so that each stays in it, but not smaller than
/// words may be: what is still too wide loses letters.
double roomed_notes_scale(const Panel&, const PanelFrame&, const Theme&, const TextMetrics&);
/// As much of x as a note's room is, on the page.
double room_of(const Note&, const PanelFrame&);

/// Small numbers beside what they count give way to it: true where a stroke would run through them.
bool struck_through(const Rect& words, const Scene&, std::size_t first);

}  // namespace orrery::figure
