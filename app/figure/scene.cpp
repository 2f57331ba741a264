#include "app/figure/scene.h"

namespace orrery::figure {

Point PanelFrame::to_page(double x_value, double y_value) const {
  const double u = x_scale.unit(x_value, x), v = y_scale.unit(y_value, y);
  return {plot.x + (x_reversed ? 1 - u : u) * plot.w, plot.y + (y_reversed ? v : 1 - v) * plot.h};
}

std::pair<double, double> PanelFrame::to_data(Point p) const {
  const double u = plot.w > 0 ? (p.x - plot.x) / plot.w : 0, v = plot.h > 0 ? (p.y - plot.y) / plot.h : 0;
  return {x_scale.invert(x_reversed ? 1 - u : u, x), y_scale.invert(y_reversed ? v : 1 - v, y)};
}

}  // namespace orrery::figure
