#include "app/figure/gallery.h"

#include <array>

namespace orrery::figure {

std::span<const Exhibit> gallery() {
  static constexpr std::array all{
      Exhibit{"line", exhibit::lines},       Exhibit{"points", exhibit::points},
      Exhibit{"step", exhibit::steps},       Exhibit{"stem", exhibit::stems},
      Exhibit{"error", exhibit::error_bars}, Exhibit{"band", exhibit::band},
      Exhibit{"bar", exhibit::bars},         Exhibit{"histogram", exhibit::histograms},
      Exhibit{"rule", exhibit::rules},       Exhibit{"polygon", exhibit::shapes},
      Exhibit{"arrow", exhibit::arrows},     Exhibit{"arc", exhibit::arcs},
      Exhibit{"annotation", exhibit::notes}, Exhibit{"inset", exhibit::insets},
      Exhibit{"legend", exhibit::crowded},   Exhibit{"sampler", exhibit::sampler},
      Exhibit{"heatmap", exhibit::heatmap},  Exhibit{"contour", exhibit::contours},
      Exhibit{"area", exhibit::areas},       Exhibit{"names", exhibit::names_axis},
      Exhibit{"log", exhibit::log_axes},     Exhibit{"symlog", exhibit::symlog_axis},
      Exhibit{"angle", exhibit::angle_axes}, Exhibit{"second", exhibit::second_axis}};
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
