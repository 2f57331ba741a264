// Lines and bands.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/figure/path.h"
#include "app/figure/stage.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

/// The stretches between the holes.
std::vector<Path> unbroken(const std::vector<double>& x, const std::vector<double>& y,
                           const PanelFrame& frame) {
  std::vector<Path> paths;
  bool open = false;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const Point p = place(frame, x[i], y[i]);
    const bool here = defined(p);
    if (here && !open) paths.emplace_back();
    if (here) paths.back().push_back(p);
    open = here;
  }
  return paths;
}

/// The stretches between the holes, no longer than the page can show.
std::vector<Path> thinned(const Line& line, const Stage& s, const Rect& box) {
  const MarkDigest* digest = s.digest;
  const auto all_placed = [](const AxisCover& cover, const Scale& scale) {
    return scale.kind() != Scale::Kind::log || cover.all.lo > 0;
  };
  if (digest && digest->trace && all_placed(digest->x, s.frame.x_scale) &&
      all_placed(digest->y, s.frame.y_scale))
    return digest->trace->inside(line.x, line.y, s.frame, box, s.pixels_per_point);
  std::vector<Path> paths = unbroken(line.x, line.y, s.frame);
  for (Path& path : paths) path = decimate(path, s.pixels_per_point);
  return paths;
}

/// A staircase through the same points.
Path stepped(const Path& path, Course course) {
  Path out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0) {
      const Point p = path[i - 1], q = path[i];
      if (course == Course::step_after) out.push_back({q.x, p.y});
      if (course == Course::step_before) out.push_back({p.x, q.y});
      if (course == Course::step_middle) {
        const double middle = std::midpoint(p.x, q.x);
        out.push_back({middle, p.y});
        out.push_back({middle, q.y});
      }
    }
    out.push_back(path[i]);
  }
  return out;
}

}  // namespace

std::vector<double> dash_lengths(Dash dash, double width) {
  std::vector<double> lengths;
  switch (dash) {
    case Dash::solid:
      return {};
    case Dash::dashed:
      lengths = {3, 1.5};
      break;
    case Dash::dotted:
      lengths = {1, 1.4};
      break;
    case Dash::dash_dot:
      lengths = {4, 1.4, 1, 1.4};
      break;
    case Dash::long_dash:
      lengths = {7, 2};
      break;
    case Dash::dash_dot_dot:
      lengths = {5, 1.4, 1, 1.4, 1, 1.4};
      break;
  }
  for (double& l : lengths) l *= std::max(width, 0.6);
  return lengths;
}

Dash shown_dash(const Line& line, const Theme& theme) {
  if (line.dash != Dash::solid || !line.dash_by_series || line.ink.role != Role::series) return line.dash;
  constexpr std::array by_series{Dash::solid,    Dash::dashed,    Dash::dotted,
                                 Dash::dash_dot, Dash::long_dash, Dash::dash_dot_dot};
  const int index = std::abs(line.ink.index), round = index / int(theme.series.size());
  // On screen only a colour that comes round again needs one. In print every one has its own, and another when it comes again.
  const int which = theme.dash_series ? index + round : round;
  return by_series[std::size_t(which) % by_series.size()];
}

Color band_color(const Ink& ink, const Theme& theme) {
  Ink ground = ink;
  if (ink.role == Role::series) ground.alpha *= 0.25;
  return theme.color(ground);
}

void draw(const Line& line, const Stage& s) {
  const double width = s.theme.line_width * line.width;
  const std::vector<double> dash = dash_lengths(shown_dash(line, s.theme), width);
  const Color color = s.theme.color(line.ink);
  s.scene.primitives.emplace_back(Clip{grown(s.frame.plot, width / 2)});
  const Rect box = grown(s.frame.plot, 4 * width);
  for (Path& path : thinned(line, s, box)) {
    if (path.size() == 1 && s.frame.plot.contains(path[0]))  // a lone value between holes is still a value
      s.scene.primitives.emplace_back(Discs{path, width, color});
    if (line.course != Course::straight) path = stepped(path, line.course);
    for (Path& part : clip_path(path, box))
      s.scene.primitives.emplace_back(Polyline{std::move(part), color, width, dash, false});
  }
  s.scene.primitives.emplace_back(Unclip{});
}

void draw(const Band& band, const Stage& s) {
  const Color color = band_color(band.ink, s.theme);
  const std::size_t n = std::min({band.x.size(), band.lo.size(), band.hi.size()});
  Path low, high;
  s.scene.primitives.emplace_back(Clip{s.frame.plot});
  const auto finish = [&] {
    if (low.size() >= 2) {
      Path outline = decimate(low, s.pixels_per_point);
      const Path top = decimate(high, s.pixels_per_point);
      outline.insert(outline.end(), top.rbegin(), top.rend());
      outline = clip_polygon(outline, s.frame.plot);
      if (outline.size() >= 3) s.scene.primitives.emplace_back(Polygon{std::move(outline), color});
    }
    low.clear();
    high.clear();
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Point lo = place(s.frame, band.x[i], band.lo[i]), hi = place(s.frame, band.x[i], band.hi[i]);
    if (!defined(lo) || !defined(hi)) {
      finish();
      continue;
    }
    low.push_back(lo);
    high.push_back(hi);
  }
  finish();
  s.scene.primitives.emplace_back(Unclip{});
}

}  // namespace orrery::figure
