// Long lines made as short as the page can show, and cut to where it shows them.
#pragma once

#include <vector>

#include "app/figure/scene.h"

namespace orrery::figure {

using Path = std::vector<Point>;

inline constexpr double farthest = 1e7;  ///< points; what lies beyond is only a direction

/// A place on the page with coordinates that can be computed with, however far away; NaN where the data have none.
Point place(const PanelFrame&, double x, double y);
bool defined(Point);

Path corners(const Rect&);
Polyline outline(const Rect&, Color, double width);

/// Keeps the first, least, greatest and last point of every pixel column, in order, so that spikes survive;
/// for a path that does not run from left to right, drops points closer than a quarter of a pixel to the last
/// one kept.
Path decimate(const Path&, double pixels_per_point);

/// The parts of an open path inside a box (Liang and Barsky, segment by segment). Page coordinates stay
/// small, whatever the data: canvases work in fixed point.
std::vector<Path> clip_path(const Path&, const Rect&);

/// The parts of an open path outside a box.
std::vector<Path> cut_out(const Path&, const Rect&);

double path_length(const Path&);
/// Whether two straight lines go through each other, not only up to it.
bool cross(const Path&, const Path&);
/// Positive when the corners go round against the clock, seen with y up.
double signed_area(const Path&);

/// A filled shape inside a box (Sutherland and Hodgman).
Path clip_polygon(const Path&, const Rect&);

}  // namespace orrery::figure
