// The marks of a panel as plots of their own values, where PGFPlots has such a plot and the values are few.
#pragma once

#include <optional>
#include <string>

#include "app/export/pgf/numbers.h"
#include "app/export/pgf/palette.h"
#include "app/export/pgf/pgf.h"
#include "app/figure/color_map.h"
#include "app/figure/figure.h"
#include "app/figure/scene.h"

namespace orrery::exporter::pgf {

/// What a mark is drawn with.
struct MarkStage {
  const AxisMap& x;
  const AxisMap& y;
  Palette& palette;
  const figure::Theme& theme;
  const figure::PanelFrame& frame;  ///< markers shrink with it
};

/// Lines and points by their values; nothing where the mark has to be drawn from the scene.
std::optional<std::string> plot_of(const figure::Mark&, const MarkStage&);

/// A map of few cells by its values; `color_map`: "colormap name=…", or the options of one.
std::optional<std::string> matrix_plot(const figure::Heatmap&, const figure::ValueColors&,
                                       const std::string& color_map, const MarkStage&);

/// "colormap={name}{…}, point meta min=…, point meta max=…"
std::string color_map_options(const std::vector<figure::Color>& ramp, figure::Range, const std::string& name);

/// An image of the scene as a picture beside the file.
std::string graphics(const figure::Image&, const std::string& file, const MarkStage&);
std::string picture_png(const figure::Image&);

}  // namespace orrery::exporter::pgf
