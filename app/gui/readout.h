// What is under the pointer: the nearest sample of every series, the cell of a heatmap.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/digest.h"
#include "app/figure/layout.h"

namespace orrery::gui {

struct ReadoutRow {
  figure::Ink ink;
  std::string label;
  std::string value;                  ///< for eyes: no more digits than its format has
  std::string exact;                  ///< the shortest text that reads back as the same number
  std::string x;                      ///< of the sample, where it is another than the title's
  std::optional<figure::Point> at{};  ///< the sample, on the page
};

struct Readout {
  std::string title;  ///< "distance 158"
  std::vector<ReadoutRow> rows;
  int more = 0;                      ///< series that found no room in the box
  std::optional<double> x;           ///< of the samples, data units
  std::optional<double> crosshair;   ///< the same on the page
  std::optional<figure::Rect> cell;  ///< of a heatmap, on the page
};

/// A panel as it is shown, with what is known of its data.
struct ShownPanel {
  const figure::Figure& figure;
  int index;
  const figure::PanelDigest& digest;
  const figure::PanelFrame& frame;
  const figure::View& view;

  const figure::Panel& panel() const { return figure.panels[static_cast<std::size_t>(index)]; }
};

/// Snaps to the sample whose x is nearest to the pointer, and reads every series there; markers in no order are read where
/// the pointer is near one. Nothing where the panel has nothing to read at that place.
std::optional<Readout> read_out(const ShownPanel&, figure::Point);
/// The same at an x that another panel has snapped to.
std::optional<Readout> read_at(const ShownPanel&, double x);

/// A head line, and a line for each series: name, x, value, in plain letters and with every digit.
std::string tab_separated(const Readout&);

}  // namespace orrery::gui
