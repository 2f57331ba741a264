// Lines of equal value through values at the nodes of a grid: marching squares, linear between neighbours. A saddle is
// decided by the mean of its four corners.
#pragma once

#include <vector>

#include "app/figure/scene.h"

namespace orrery::figure {

/// Values at the crossings of ascending x and ascending y; a cell with a corner that is not finite is a hole.
struct Nodes {
  std::vector<double> x, y;
  std::vector<double> values;  ///< row-major: values[j · x.size() + i]

  double at(std::size_t i, std::size_t j) const { return values[j * x.size() + i]; }
};

struct Contour {
  std::vector<Point> points;  ///< data units; of a closed one the first is not said again
  bool closed = false;
};

/// Where the values are `level`; the larger ones lie on the left.
std::vector<Contour> contour_lines(const Nodes&, double level);

/// The rims of the parts where the values are `level` or more, closed along the border of the grid and of its holes;
/// counter-clockwise about such a part, clockwise about what is missing in it. −∞ gives the rims of the grid itself.
std::vector<Contour> contour_rims(const Nodes&, double level);

}  // namespace orrery::figure
