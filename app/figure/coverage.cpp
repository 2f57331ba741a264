#include "app/figure/coverage.h"

#include <algorithm>
#include <cmath>

#include "app/figure/path.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

double common_area(const Rect& a, const Rect& b) {
  return std::max(0.0, std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x)) *
         std::max(0.0, std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y));
}

struct Covered {
  const Rect& box;
  double em;
  const TextMetrics& metrics;

  double operator()(const Polyline& line) const {
    double length = 0;
    for (const Path& part : clip_path(line.points, box)) length += path_length(part);
    return length;
  }
  double operator()(const Polygon& p) const {
    return std::abs(signed_area(clip_polygon(p.points, box))) / em;
  }
  double operator()(const Discs& discs) const {
    const Rect near = grown(box, discs.radius);
    return 2 * em * double(std::count_if(discs.centres.begin(), discs.centres.end(), [&](Point p) {
             return near.contains(p);
           }));
  }
  double operator()(const Image& image) const { return common_area(box, image.box) / em; }
  double operator()(const Label& label) const { return 4 * common_area(box, label_box(label, metrics)) / em; }
  double operator()(const Clip&) const { return 0; }
  double operator()(const Unclip&) const { return 0; }
};

}  // namespace

double covered(const Rect& box, const Primitive& primitive, double em, const TextMetrics& metrics) {
  return std::visit(Covered{box, em, metrics}, primitive);
}

}  // namespace orrery::figure
