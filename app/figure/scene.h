// A figure laid out at a size: a flat list of primitives in points, y down, colours resolved. What a canvas paints.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/ink.h"
#include "app/figure/record.h"
#include "app/figure/scale.h"
#include "app/figure/theme.h"

namespace orrery::figure {

struct Point {
  double x = 0, y = 0;
};

struct Rect {
  double x = 0, y = 0, w = 0, h = 0;
  bool contains(Point p) const { return p.x >= x && p.x <= x + w && p.y >= y && p.y <= y + h; }
};

struct Polyline {
  std::vector<Point> points;
  Color color;
  double width = 1;
  std::vector<double> dash;  ///< lengths on, off, on …; empty: solid
  bool closed = false;
};

/// Filled, simple, not necessarily convex.
struct Polygon {
  std::vector<Point> points;
  Color color;
};

/// Filled circles of one radius: markers.
struct Discs {
  std::vector<Point> centres;
  double radius = 1;
  Color color;
};

/// An image with square pixels, never smoothed. Shared so that copies of a scene cost nothing.
struct Image {
  Rect box;
  int width = 0, height = 0;
  std::shared_ptr<const std::vector<Color>> pixels;  ///< row 0 at the top
};

struct Label {
  Point at;
  std::string text;  ///< with $…$
  TextStyle style;
  Color color;
  HAlign h = HAlign::left;
  VAlign v = VAlign::baseline;
  bool upright =
      true;  ///< false: turned a quarter to the left about `at`, reading upwards; h is then along the page's
             ///< vertical, and v == top puts the text to the right of `at`
};

/// Everything up to the matching Unclip is cut to the box. Not nested.
struct Clip {
  Rect box;
};
struct Unclip {};

using Primitive = std::variant<Polyline, Polygon, Discs, Image, Label, Clip, Unclip>;

/// Where a panel came to stand, for read-outs, zoom and handles. unit → page: x grows right, y grows up (unless reversed).
struct PanelFrame {
  Rect plot;
  Range x, y;
  Scale x_scale, y_scale;
  bool x_reversed = false, y_reversed = false;
  Range whole_x, whole_y;                       ///< before anybody zoomed
  std::optional<Range> whole_top, whole_right;  ///< likewise, of second axes with a scale of their own

  Point to_page(double x_value, double y_value) const;
  std::pair<double, double> to_data(Point) const;
};

/// A legend entry's box, so that a click can toggle what it names.
struct LegendBox {
  int panel = 0, mark = 0;
  Rect box;
};

struct Scene {
  double width = 0, height = 0;  ///< points
  Color background;
  std::vector<Primitive> primitives;
  std::vector<PanelFrame> panels;  ///< as many as the figure has, in the same order
  std::vector<LegendBox> legend;
  PrimitiveSpan heading;             ///< the figure's title and, of one that moves, its track
  std::vector<PanelRecord> records;  ///< as many as panels
  /// Texts of the figure, as it writes them, that the page has no room for: in the order of the panels.
  std::vector<std::string> left_out;
  /// While it is laid out: of these the numbers and formulas of which nothing shows that they are there.
  std::vector<std::string> numbers_gone{};
  /// Those whose beginning alone is said; no panel goes for them. The layout adds them to the others in the end.
  std::vector<std::string> shortened{};
  int tangles =
      0;  ///< words that lie on a line to other words, or whose own lies on such: a panel may go for them
};

}  // namespace orrery::figure
