// Closed shapes.
#include <algorithm>

#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

void draw(const Shape& shape, const Stage& s) {
  Path path;
  for (std::size_t i = 0; i < std::min(shape.x.size(), shape.y.size()); ++i)
    if (const Point p = place(s.frame, shape.x[i], shape.y[i]); defined(p)) path.push_back(p);
  if (path.size() < 3) return;
  const double width = s.theme.line_width * shape.width;
  s.scene.primitives.emplace_back(Clip{grown(s.frame.plot, width / 2)});
  if (shape.fill)
    if (Path inside = clip_polygon(path, s.frame.plot); inside.size() >= 3)
      s.scene.primitives.emplace_back(Polygon{std::move(inside), s.theme.color(*shape.fill)});
  if (shape.edge) {
    const Color color = s.theme.color(*shape.edge);
    const std::vector<double> dash = dash_lengths(shape.dash, width);
    const Rect near = grown(s.frame.plot, 4 * width);
    if (std::all_of(path.begin(), path.end(), [&](Point p) { return near.contains(p); })) {
      s.scene.primitives.emplace_back(Polyline{path, color, width, dash, true});
    } else {
      path.push_back(path.front());
      for (Path& part : clip_path(path, near))
        s.scene.primitives.emplace_back(Polyline{std::move(part), color, width, dash, false});
    }
  }
  s.scene.primitives.emplace_back(Unclip{});
}

}  // namespace orrery::figure
