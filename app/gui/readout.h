// What is under the pointer: the nearest sample of each line, the cell of a heatmap.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/layout.h"

namespace orrery::gui {

struct ReadoutRow {
  figure::Ink ink;
  std::string label;
  std::string value;
  std::optional<figure::Point> at;  ///< the sample, on the page
};

struct Readout {
  std::string title;  ///< "distance 158"
  std::vector<ReadoutRow> rows;
  std::optional<double> crosshair;  ///< the page's x of the samples, where they share one
};

/// Nothing where the panel has nothing to read at that place. `hidden` as in figure::View.
std::optional<Readout> read_out(const figure::Panel&, const figure::PanelFrame&, int panel,
                                const std::set<std::pair<int, int>>& hidden, figure::Point);

}  // namespace orrery::gui
