// What a mark needs in order to be drawn: where its panel stands, how it looks, what has been written there
// already.
#pragma once

#include <vector>

#include "app/figure/color_map.h"
#include "app/figure/layout.h"
#include "app/figure/scene.h"

namespace orrery::figure {

struct Stage {
  const PanelFrame& frame;
  const Theme& theme;
  const TextMetrics& metrics;
  double pixels_per_point;
  Scene& scene;
  std::vector<Rect>& words;       ///< boxes of the texts inside the panel so far
  const std::vector<Rect>& grid;  ///< boxes of the grid lines
  bool has_axes;                  ///< what is said about the data keeps clear of them

  Rect page() const { return {0, 0, scene.width, scene.height}; }
};

void draw(const Line&, const Stage&);
void draw(const Band&, const Stage&);
void draw(const Points&, const Stage&);
void draw(const Bars&, const Stage&);
void draw(const Rule&, const Stage&);
void draw(const Note&, const Stage&);
void draw(const Heatmap&, const ValueColors&, const Stage&);

/// The colours of a heatmap with the range of its data; a sampler is asked coarsely.
ValueColors value_colors(const Heatmap&, const Theme&);

/// On and off lengths in points; empty for a solid line.
std::vector<double> dash_lengths(Dash, double width);
/// A line's dash as the theme shows it: a print theme tells series apart by dashes too.
Dash shown_dash(const Line&, const Theme&);
/// A band is ground, not ink: the colour behind its lines.
Color band_color(const Ink&, const Theme&);

/// One marker of `radius` at a place.
void draw_symbol(Symbol, const std::vector<Point>&, double radius, Color, double line_width, Scene&);

}  // namespace orrery::figure
