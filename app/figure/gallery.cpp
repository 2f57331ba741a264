#include "app/figure/gallery.h"

#include <array>

namespace orrery::figure {

std::span<const Exhibit> gallery() {
  using namespace exhibit;
  static constexpr std::array all{Exhibit{"line", lines},       Exhibit{"points", points},
                                  Exhibit{"step", steps},       Exhibit{"stem", stems},
                                  Exhibit{"error", error_bars}, Exhibit{"band", band},
                                  Exhibit{"bar", bars},         Exhibit{"histogram", histograms},
                                  Exhibit{"rule", rules},       Exhibit{"polygon", shapes},
                                  Exhibit{"arrow", arrows},     Exhibit{"arc", arcs},
                                  Exhibit{"annotation", notes}, Exhibit{"inset", insets},
                                  Exhibit{"legend", crowded},   Exhibit{"sampler", sampler},
                                  Exhibit{"heatmap", heatmap},  Exhibit{"contour", contours},
                                  Exhibit{"area", areas},       Exhibit{"names", names_axis},
                                  Exhibit{"log", log_axes},     Exhibit{"symlog", symlog_axis},
                                  Exhibit{"angle", angle_axes}, Exhibit{"second", exhibit::second_axis}};
  return all;
}

Figure gallery_figure() {
  constexpr int columns = 4;
  Figure figure;
  figure.title = "Every mark and every axis that a figure may hold";
  figure.description =
      "A grid of small panels, one for each kind of mark and each kind of axis: lines, points, stairs, "
      "stems, error marks, bands, bars, histograms, rules, polygons, arrows, arcs, annotations, inset texts, "
      "heatmaps and contours; then logarithmic, symmetric logarithmic, angular, secondary and named axes.";
  int index = 0;
  for (const Exhibit& exhibit : gallery()) {
    Panel panel = exhibit.panel();
    panel.title = exhibit.name;
    panel.cell = {index / columns, index % columns};
    figure.panels.push_back(std::move(panel));
    ++index;
  }
  figure.col_weights.assign(columns, 1);
  figure.row_weights.assign(std::size_t((index + columns - 1) / columns), 1);
  figure.aspect = 0.9;
  return figure;
}

}  // namespace orrery::figure
