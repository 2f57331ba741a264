// The marks that a panel holds: plain values, in the order in which they are drawn.
//
// Every text is UTF-8 in which $…$ is mathematics in TeX ($\theta_i = b^{-2i/d}$) and \$ is a dollar sign.
// Lengths on the page (line width, radius, text size) are points; positions are in the panel's data units.
// A mark with a `label` stands in the legend under that name. Where vectors differ in length the shortest counts;
// a value that is not finite draws nothing and breaks what it would have been part of.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/figure/ink.h"
#include "app/figure/scale.h"

namespace orrery::figure {

enum class Dash : std::uint8_t { solid, dashed, dotted, dash_dot, long_dash, dash_dot_dot };

/// How a line goes from one point to the next: straight, or as a staircase that changes at the second point, at the
/// first, or half way between them.
enum class Course : std::uint8_t { straight, step_after, step_before, step_middle };

/// What a read-out says of a mark beyond its label and the place of its samples.
struct Reading {
  std::string name{};  ///< what it is, where no legend says so
  std::vector<double>
      value{};  ///< of each sample, where it is drawn elsewhere than at its value: a lane, a scale of
                ///< its own; NaN: none
  bool between = false;  ///< a line whose corners alone are given: it has values between them
  bool none = false;     ///< construction: it has a shape and no values
  /// What it is whatever the settings, where its label says settings: two figures are compared by it, and what is
  /// hidden stays hidden by it.
  std::string role{};
};

/// A line through points; NaN breaks it.
struct Line {
  std::vector<double> x{}, y{};
  Ink ink{};
  double width = 1;  ///< times the theme's line width
  Dash dash = Dash::solid;
  std::string label{};
  bool dash_by_series = true;  ///< let a print theme dash it by its series index
  Course course = Course::straight;
  Reading reading{};
};

enum class Symbol : std::uint8_t { disc, ring, square, cross, triangle, diamond };

struct Points {
  std::vector<double> x{}, y{};
  Ink ink{};
  double radius = 2;  ///< points
  Symbol symbol = Symbol::disc;
  std::string label{};
  bool symbol_by_series = true;  ///< let a print theme choose the symbol of discs by their series index
  double within =
      0;  ///< a radius that it never passes, in units of x: it shrinks with what it stands in; 0: none
  Reading reading{};
};

/// Points on stalks that rise from a baseline.
struct Stems {
  std::vector<double> x{}, y{};
  double baseline = 0;
  Ink ink{};
  double width = 0.8;  ///< of a stalk, times the theme's line width
  double radius = 2;   ///< points; 0: stalks alone
  Symbol symbol = Symbol::disc;
  std::string label{};
  Reading reading{};
};

/// How far values may be off: distances below and above, in data units; `above` empty means the same as below,
/// both empty means none.
struct Spread {
  std::vector<double> below{}, above{};
};

/// Error marks with caps about points, across, upwards, or both; the points themselves are a mark of their own.
struct ErrorBars {
  std::vector<double> x{}, y{};
  Spread dx{}, dy{};
  Ink ink{};
  double width = 0.7;  ///< times the theme's line width
  double cap = 2;      ///< half the length of a cap, points
  std::string label{};
  Reading reading{};
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
  Reading reading{};
};

/// How often values fall into bins that touch: bin i lies from edges[i] to edges[i + 1]. A faint ground under an
/// outline, so that two of them can be read one over the other. histogram.h makes one from values.
struct Histogram {
  std::vector<double> edges{}, heights{};  ///< one edge more than heights; ascending
  double baseline = 0;
  Ink ink{};
  std::string label{};
  Reading reading{};
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

/// A closed shape through its corners, filled, outlined, or both. Simple, not necessarily convex.
struct Shape {
  std::vector<double> x{}, y{};
  std::optional<Ink> fill{Ink{Role::series, 0, 0.25}};
  std::optional<Ink> edge{};
  double width = 1;  ///< of the edge, times the theme's line width
  Dash dash = Dash::solid;
  std::string label{};
};

/// Which ends of a line carry an arrow's head.
enum class Heads : std::uint8_t { none, end, start, both };

/// Straight arrows from (x, y) by (dx, dy): one, or a field of many. The head is a length on the page; it shrinks with
/// an arrow too short for it. An arrow of no length is a dot.
struct Arrows {
  std::vector<double> x{}, y{}, dx{}, dy{};
  Ink ink{};
  double width = 1;  ///< times the theme's line width
  double head = 5;   ///< length of the head, points
  Heads heads = Heads::end;
  Dash dash = Dash::solid;
  std::string label{};
};

/// Part of a circle about (x, y), counter-clockwise from the angle `from` over `sweep` (radians; negative: clockwise).
/// Its radius is in units of the data along both axes, or, for the mark of an angle, in points on the page.
struct Arc {
  double x = 0, y = 0;
  double radius = 1;
  double from = 0, sweep = 6.283185307179586;
  bool on_page = false;  ///< the radius is in points, and angles are those on the page
  Ink ink{};
  double width = 1;  ///< times the theme's line width
  Dash dash = Dash::solid;
  Heads heads = Heads::none;
  double head = 5;            ///< length of a head, points
  std::optional<Ink> fill{};  ///< of the sector
  std::string text{};         ///< written just outside its middle
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
  double room =
      0;  ///< as wide as so much of x at most: in smaller letters, then in fewer; 0: as wide as it is
  double room_y = 0;  ///< as high as so much of y at most, in smaller letters; 0: as high as it is
  /// With a room: cut, it would name nothing, as the name of a box. Rather than that it is cut, its panel may go.
  bool whole = false;
  /// From the point down, broken into lines that end with the plot; below the panel's words so far where those reach
  /// lower. What the plot has no room for is left out, and an ellipsis says so.
  bool paragraph = false;
  bool typed = false;  ///< a person's own words: no language says them otherwise
};

/// Words about a point, with a thin leader from them to it.
struct Annotation {
  double x = 0, y = 0;  ///< what they speak of
  std::string text{};
  double dx = 0,
         dy = 0;  ///< from the point to the middle of the words, points, y down; both 0: to the nearest
                  ///< place that is free
  Ink ink{Role::text, 0, 1};
  Heads heads = Heads::end;  ///< the end is at the point
  double size = 1;           ///< times the theme's text size
};

enum class LegendPlace : std::uint8_t {
  none,
  best,  ///< where it covers nothing, else above the plot
  top_left,
  top_right,
  bottom_left,
  bottom_right,
  above,
  right  ///< outside, beside the plot
};

/// Lines of words in a box inside the panel, as a legend is: `best` covers no data while there is a place for it.
struct Inset {
  std::string text{};  ///< lines apart by \n
  LegendPlace place = LegendPlace::best;
  Ink ink{Role::text, 0, 1};
  double size = 1;       ///< times the theme's text size
  bool numbers = false;  ///< in the voice of numbers
  bool frame = true;
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
  int group = 0;  ///< scales of one group, across panels, have one range and one bar; 0: alone
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
  int decimals = -1;  ///< of the values written into cells that are large enough; −1: none is written
  bool writes_zeros =
      false;  ///< what is 0 in so many decimals too: left empty, it reads as what a mask takes away
  std::string averaged = "averaged";  ///< said at the colour bar where a pixel has the mean of several cells
  std::string shows{};                ///< said there instead, where it has something other than the mean
};

/// Lines of equal value through a field, or with `filled` the areas between them. The field is given as a heatmap's
/// is; its values stand at the centres of the cells.
struct Contours {
  Range x, y;
  std::shared_ptr<const Grid> grid{};
  Sampler sampler{};
  int full_cols = 0, full_rows = 0;
  std::vector<double> levels{};  ///< empty: about `count` of them, found as ticks are
  int count = 8;
  bool filled = false;
  ColorScale colors{};  ///< with a bar only when filled
  std::optional<Ink> ink{
      Ink{Role::text, 0, 0.7}};  ///< of all lines; not given: each in the colour of its value
  double width = 0.8;            ///< times the theme's line width; 0: areas alone
  bool numbers = true;           ///< each level written on its line
};

using Mark = std::variant<Line, Points, Band, Bars, Rule, Note, Heatmap, Stems, ErrorBars, Histogram, Shape,
                          Arrows, Arc, Annotation, Inset, Contours>;

}  // namespace orrery::figure
