// A figure as data: panels of marks on scales, with labels. A plain value: copied, compared, laid out at any size later.
// Knows no pixels, no painter, no window.
//
// Every text is UTF-8 in which $…$ is mathematics in TeX ($\theta_i = b^{-2i/d}$) and \$ is a dollar sign.
// Lengths on the page (line width, radius, text size) are points; positions are in the panel's data units.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/figure/ink.h"
#include "app/figure/scale.h"
#include "app/figure/ticks.h"

namespace orrery::figure {

enum class Dash : std::uint8_t { solid, dashed, dotted, dash_dot };

/// A line through points; NaN breaks it.
struct Line {
  std::vector<double> x{}, y{};
  Ink ink{};
  double width = 1;  ///< times the theme's line width
  Dash dash = Dash::solid;
  std::string label{};         ///< for the legend; empty: not in it
  bool dash_by_series = true;  ///< let a print theme dash it by its series index
};

enum class Symbol : std::uint8_t { disc, ring, square, cross };

struct Points {
  std::vector<double> x{}, y{};
  Ink ink{};
  double radius = 2;  ///< points
  Symbol symbol = Symbol::disc;
  std::string label{};
};

/// The area between two curves.
struct Band {
  std::vector<double> x{}, lo{}, hi{};
  Ink ink{};
  std::string label{};
};

/// Columns from a baseline: one per x, `width` in data units.
struct Bars {
  std::vector<double> x{}, height{};
  double width = 0.8;
  double baseline = 0;
  Ink ink{};
  std::string label{};
};

enum class Direction : std::uint8_t { horizontal, vertical };

/// A line right across the panel at one value, or (with `to`) a shaded stripe between two.
struct Rule {
  Direction direction = Direction::vertical;
  double at = 0;
  std::optional<double> to{};
  Ink ink{Role::accent, 0, 1};
  double width = 0.8;  ///< points
  Dash dash = Dash::dashed;
  std::string text{};  ///< written beside it, inside the panel
};

enum class HAlign : std::uint8_t { left, center, right };
enum class VAlign : std::uint8_t { top, middle, baseline, bottom };

/// Words at a place in the data.
struct Note {
  double x = 0, y = 0;
  std::string text{};
  Ink ink{Role::text, 0, 1};
  HAlign h = HAlign::center;
  VAlign v = VAlign::middle;
  double dx = 0, dy = 0;  ///< shift on the page, points, y down
  double size = 1;        ///< times the theme's text size
  bool numbers = false;   ///< in the voice of numbers
};

enum class ColorMap : std::uint8_t { viridis, cividis, diverging, cyclic };

/// How values become colours. −∞ is drawn as masked, NaN as bad; a colour bar beside the panel shows the scale.
struct ColorScale {
  ColorMap map = ColorMap::viridis;
  std::optional<Range>
      range{};  ///< found in the data when not given; for diverging it is made symmetric about the centre
  double centre = 0;    ///< of a diverging map: the value that has the neutral colour
  std::string label{};  ///< of the colour bar
  bool bar = true;
};

/// Values at cell centres on a rows × cols grid; row 0 at the least y (at the top when the y axis is reversed).
struct Grid {
  int rows = 0, cols = 0;
  std::vector<float> values;  ///< row-major
};

/// Values asked for at the resolution of the screen or the page: a large matrix is sampled, never built.
/// Gives rows × cols values at the centres of a regular partition of x by y.
using Sampler = std::function<Grid(Range x, Range y, int cols, int rows)>;

struct Heatmap {
  Range x, y;                          ///< the edges of the outermost cells, in data units
  std::shared_ptr<const Grid> grid{};  ///< either a grid …
  Sampler sampler{};                   ///< … or a sampler, with the size of its whole matrix:
  int full_cols = 0, full_rows = 0;
  ColorScale colors{};
};

using Mark = std::variant<Line, Points, Band, Bars, Rule, Note, Heatmap>;

struct Axis {
  std::string label{};
  Scale scale{};
  std::optional<Range> range{};  ///< found in the marks when not given
  TickHint ticks = TickHint::none;
  bool visible = true;
  bool grid = false;      ///< faint lines at the ticks
  bool reversed = false;  ///< largest value at the left or the bottom
};

enum class LegendPlace : std::uint8_t { none, best, top_left, top_right, bottom_left, bottom_right, above };

/// A point that a person drags, bound to a parameter. value = (data position − origin) / unit; a vector parameter takes
/// both components, a number takes x (or y when `along_y`). `component` is where in a longer vector the two (or one) go.
struct Handle {
  double x = 0, y = 0;  ///< where it stands now, data units
  std::string parameter{};
  double origin_x = 0, origin_y = 0, unit = 1;
  bool along_y = false;
  int component = 0;
  std::string hint{};  ///< what dragging it does
};

/// Where a panel stands in the figure's grid of cells.
struct Cell {
  int row = 0, col = 0, rows = 1, cols = 1;
};

struct Panel {
  std::string title{};
  Axis x{}, y{};
  std::vector<Mark> marks{};
  LegendPlace legend = LegendPlace::best;
  bool equal_aspect = false;  ///< one unit of x as long as one of y
  bool frame = false;         ///< a full frame, as heatmaps have
  std::vector<Handle> handles{};
  Cell cell{};
};

struct Figure {
  std::string title{};        ///< a sentence
  std::string description{};  ///< what there is to see, for those who cannot see it, and for the file
  std::vector<Panel> panels{};
  std::vector<double> row_weights{1}, col_weights{1};  ///< the grid of cells, relative sizes
  double aspect = 1.6;  ///< width over height that suits it, when nobody asked for another
};

}  // namespace orrery::figure
