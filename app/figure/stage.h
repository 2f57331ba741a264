// What a mark needs in order to be drawn: where its panel stands, how it looks, what has been written there
// already.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "app/figure/color_map.h"
#include "app/figure/digest.h"
#include "app/figure/layout.h"
#include "app/figure/path.h"
#include "app/figure/scene.h"

namespace orrery::figure {

/// What has been written inside a panel so far.
struct Lettering {
  std::vector<Rect> words;
  std::vector<Path> leaders;  ///< from words to what they name
  std::vector<Point> named;   ///< what words are to name, these or later ones
  std::vector<Rect> rules;    ///< the lines of rules, drawn already or later
};

struct Stage {
  const PanelFrame& frame;
  const Theme& theme;
  const TextMetrics& metrics;
  double pixels_per_point;
  Scene& scene;
  Lettering& lettering;
  const std::vector<Rect>& grid;       ///< boxes of the grid lines
  std::size_t first;                   ///< the panel's first primitive that is data, not grid
  bool has_axes;                       ///< what is said about the data keeps clear of them
  const Scene* data = nullptr;         ///< the marks that are data, before rules are given their words
  const MarkDigest* digest = nullptr;  ///< of the mark that is drawn
  double note_scale = 1;               ///< notes of a crowded panel are written smaller
  double room_scale = 1;               ///< and those that have a room of their own
  double most_cells = 0;               ///< that a map asks of its sampler
  double cell_numbers = std::numeric_limits<double>::infinity();  ///< no larger are those in cells, points

  Rect page() const { return {0, 0, scene.width, scene.height}; }
  /// Whether words in this box would lie on others, or beside them with less than such a gap, text sizes.
  bool on_words(const Rect& box, double gap) const;
  /// The same for one of its marks, which may follow a second axis.
  Stage on(const PanelFrame& own, const MarkDigest& its) const {
    return {own,      theme, metrics, pixels_per_point, scene,      lettering,  grid,        first,
            has_axes, data,  &its,    note_scale,       room_scale, most_cells, cell_numbers};
  }
};

void draw(const Line&, const Stage&);
void draw(const Band&, const Stage&);
void draw(const Points&, const Stage&);
void draw(const Bars&, const Stage&);
void draw(const Rule&, const Stage&);
/// The line of a rule on the page, right across the plot; nothing of a stretch, or where it has no place there.
std::optional<Rect> line_of(const Rule&, const Stage&);
/// Whether no place beside a rule is clear of the data: it is drawn over them, with a veil under its words.
bool lies_on_data(const Rule&, const Stage&);
/// The page's ground over what lies under words that have no better place.
void veil(const Rect& words, const Stage&);
void draw(const Note&, const Stage&);
void draw(const Heatmap&, const ValueColors&, const Stage&);
/// The numbers of a map's cells, over them.
void write_cells(const Heatmap&, const ValueColors&, const Stage&);
/// The size that they would have alone, points; 0: none is written.
double cell_numbers_size(const Heatmap&, const Stage&);
void draw(const Stems&, const Stage&);
void draw(const ErrorBars&, const Stage&);
void draw(const Histogram&, const Stage&);
void draw(const Shape&, const Stage&);
void draw(const Arrows&, const Stage&);
void draw(const Arc&, const Stage&);
void draw(const Annotation&, const Stage&);
void draw(const Inset&, const Stage&);
void draw(const Contours&, const ValueColors&, const Stage&);

/// Whether a pixel of the map, in such a frame, has the mean of several cells.
bool averages(const Heatmap&, const PanelFrame&, double pixels_per_point);
/// Of a block sampler's values, one for each pixel: what draw() shows of them. Nothing where it is not drawn so.
std::optional<Range> blocks_range(const Heatmap&, const PanelFrame&, double pixels_per_point);

/// The symbol of points as the theme shows it: a print theme tells series apart by symbols too.
Symbol shown_symbol(const Points&, const Theme&);

/// The radius of points as this panel shows it: markers shrink with it, and with what they stand in.
double shown_radius(const Points&, const PanelFrame&);

/// On and off lengths in points; empty for a solid line.
std::vector<double> dash_lengths(Dash, double width);
/// A line's dash as the theme shows it: a print theme tells series apart by dashes too.
Dash shown_dash(const Line&, const Theme&);
/// A band is ground, not ink: the colour behind its lines.
Color band_color(const Ink&, const Theme&);

/// A head whose point is at `tip`, for a line that comes from `from`.
void draw_head(Point tip, Point from, double length, Color, Scene&);

/// One marker of `radius` at a place.
void draw_symbol(Symbol, const std::vector<Point>&, double radius, Color, double line_width, Scene&);

}  // namespace orrery::figure
