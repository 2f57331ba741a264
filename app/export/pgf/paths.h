// The primitives of a scene as commands: inside an axis in the axis' own coordinates, beside it in those of the page.
#pragma once

#include <string>
#include <vector>

#include "app/export/pgf/numbers.h"
#include "app/export/pgf/palette.h"
#include "app/figure/arcs.h"
#include "app/figure/scene.h"

namespace orrery::exporter::pgf {

/// PGFPlots takes a millisecond for each; and a page shows no more of a curve.
inline constexpr std::size_t most_points = 1000;

class PathWriter {
 public:
  PathWriter(const AxisMap& x, const AxisMap& y, Palette& palette, double pixels_per_point)
      : x_(&x), y_(&y), palette_(palette), pixels_per_point_(pixels_per_point) {}
  /// Outside of any axis.
  PathWriter(double page_height, Palette& palette, double pixels_per_point)
      : page_height_(page_height), palette_(palette), pixels_per_point_(pixels_per_point) {}

  /// All but images, whose size decides how they are written. Shapes of one colour in a row become one path.
  std::string write(const std::vector<figure::Primitive>&, figure::PrimitiveSpan);

  /// "(axis cs:1,2)"; on the page "(34bp,120bp)"
  std::string at(figure::Point) const;
  /// "orreryText, font=…": how a label looks.
  std::string label_style(const figure::Label&);
  /// "draw=…, line width=…, dash pattern=…"
  std::string line_style(const figure::Polyline&);

 private:
  std::string polyline(const figure::Polyline&, bool clipped);
  std::string polygon(const figure::Polygon&) const;
  std::string outline(const figure::RoundPath&) const;
  std::string discs(const figure::Discs&);
  std::string label(const figure::Label&);
  std::vector<figure::Point> thinned(const std::vector<figure::Point>&) const;
  std::string table(const std::vector<figure::Point>&) const;

  const AxisMap *x_ = nullptr, *y_ = nullptr;  ///< none: on the page
  double page_height_ = 0;
  Palette& palette_;
  double pixels_per_point_;
};

/// "mark size=…, mark options={…}" of a filled symbol: PGFPlots draws an outline round each, whatever it is told, so that
/// it has the same colour and is part of the size.
std::string filled_mark(double radius, figure::Color, Palette&, const std::string& more = {});

/// From a line to the next, of a font's size.
inline constexpr double line_skip = 1.2;

/// "on 3bp off 1.5bp"; empty for a solid line.
std::string dash_pattern(const std::vector<double>& lengths);
/// "text height=…, text depth=…": a line as high as the layout takes it to be, whatever its letters. What stands side by side
/// stands on one line, and the middle of a node is the middle of a capital letter.
std::string line_box(double size, std::size_t lines = 1, double skip = line_skip);
/// "font=\fontsize{8}{9.6}\selectfont\bfseries"
std::string font(double size, bool bold, double skip = line_skip);

}  // namespace orrery::exporter::pgf
