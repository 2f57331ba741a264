// Every mark and every kind of axis, each in a small panel of its own: what a lecturer may look up, and what the tests of
// the layout, of both canvases and of all formats draw.
#pragma once

#include <span>
#include <string_view>

#include "app/figure/figure.h"

namespace orrery::figure {

struct Exhibit {
  std::string_view name;  ///< "histogram"
  Panel (*panel)();
};

/// In the order of the marks in marks.h, then the axes.
std::span<const Exhibit> gallery();

/// All of them in one grid.
Figure gallery_figure();

/// The parts of it, one file each.
namespace exhibit {
Panel lines();
Panel points();
Panel steps();
Panel stems();
Panel error_bars();
Panel band();
Panel bars();
Panel histograms();
Panel rules();
Panel shapes();
Panel arrows();
Panel arcs();
Panel notes();
Panel insets();
Panel heatmap();
Panel contours();
Panel areas();
Panel sampler();
Panel log_axes();
Panel symlog_axis();
Panel angle_axes();
Panel second_axis();
Panel names_axis();
Panel crowded();
}  // namespace exhibit

}  // namespace orrery::figure
