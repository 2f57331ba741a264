#include "app/figure/path.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::figure {

namespace {

Path keep_extremes(const Path& path, double pixels_per_point) {
  Path out;
  std::size_t begin = 0;
  while (begin < path.size()) {
    const double column = std::floor(path[begin].x * pixels_per_point);
    std::size_t end = begin + 1, least = begin, greatest = begin;
    for (; end < path.size() && std::floor(path[end].x * pixels_per_point) == column; ++end) {
      if (path[end].y < path[least].y) least = end;
      if (path[end].y > path[greatest].y) greatest = end;
    }
    std::array kept{begin, std::min(least, greatest), std::max(least, greatest), end - 1};
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (i == 0 || kept[i] != kept[i - 1]) out.push_back(path[kept[i]]);
    begin = end;
  }
  return out;
}

Path drop_near(const Path& path, double distance) {
  Path out{path.front()};
  for (const Point& p : path)
    if (std::hypot(p.x - out.back().x, p.y - out.back().y) >= distance) out.push_back(p);
  const Point &last = path.back(), &kept = out.back();
  if (last.x != kept.x || last.y != kept.y) out.push_back(last);
  return out;
}

/// What is left of the segment p–q inside the box, as shares of its length.
bool clip_segment(Point p, Point q, const Rect& box, double& from, double& to) {
  const double dx = q.x - p.x, dy = q.y - p.y;
  const std::array<std::pair<double, double>, 4> edges{
      {{-dx, p.x - box.x}, {dx, box.x + box.w - p.x}, {-dy, p.y - box.y}, {dy, box.y + box.h - p.y}}};
  from = 0;
  to = 1;
  for (const auto& [direction, distance] : edges) {
    if (direction == 0) {
      if (distance < 0) return false;
      continue;
    }
    const double t = distance / direction;
    if (direction < 0)
      from = std::max(from, t);
    else
      to = std::min(to, t);
  }
  return from <= to;
}

Point between(Point p, Point q, double t) {
  return {std::lerp(p.x, q.x, t), std::lerp(p.y, q.y, t)};
}

}  // namespace

Point place(const PanelFrame& frame, double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return {std::nan(""), std::nan("")};
  const Point p = frame.to_page(x, y);
  return {std::clamp(p.x, -farthest, farthest), std::clamp(p.y, -farthest, farthest)};
}

bool defined(Point p) {
  return !std::isnan(p.x) && !std::isnan(p.y);
}

Path corners(const Rect& r) {
  return {{r.x, r.y}, {r.x + r.w, r.y}, {r.x + r.w, r.y + r.h}, {r.x, r.y + r.h}};
}

Polyline outline(const Rect& r, Color color, double width) {
  Polyline line;
  line.points = corners(r);
  line.color = color;
  line.width = width;
  line.closed = true;
  return line;
}

Path decimate(const Path& path, double pixels_per_point) {
  if (path.size() < 3) return path;
  const bool rightwards =
      std::is_sorted(path.begin(), path.end(), [](Point p, Point q) { return p.x < q.x; });
  const bool leftwards = std::is_sorted(path.begin(), path.end(), [](Point p, Point q) { return p.x > q.x; });
  return rightwards || leftwards ? keep_extremes(path, pixels_per_point)
                                 : drop_near(path, 0.25 / pixels_per_point);
}

std::vector<Path> clip_path(const Path& path, const Rect& box) {
  std::vector<Path> parts;
  bool open = false;  // the last part ends where the next segment begins
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    double from = 0, to = 1;
    if (!clip_segment(path[i], path[i + 1], box, from, to)) {
      open = false;
      continue;
    }
    if (!open) parts.push_back({between(path[i], path[i + 1], from)});
    parts.back().push_back(between(path[i], path[i + 1], to));
    open = to == 1;
  }
  return parts;
}

std::vector<Path> cut_out(const Path& path, const Rect& box) {
  std::vector<Path> parts;
  bool open = false;
  const auto keep = [&](Point p, Point q) {
    if (!open) parts.push_back({p});
    parts.back().push_back(q);
    open = true;
  };
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Point p = path[i], q = path[i + 1];
    double from = 0, to = 1;
    if (!clip_segment(p, q, box, from, to)) {
      keep(p, q);
      continue;
    }
    if (from > 0) keep(p, between(p, q, from));
    open = false;
    if (to < 1) keep(between(p, q, to), q);
  }
  return parts;
}

double path_length(const Path& path) {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    length += std::hypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
  return length;
}

bool cross(const Path& a, const Path& b) {
  const auto side = [](const Path& line, Point p) {
    const Point &from = line.front(), &to = line.back();
    return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
  };
  return side(a, b.front()) * side(a, b.back()) < 0 && side(b, a.front()) * side(b, a.back()) < 0;
}

double signed_area(const Path& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point a = p[i], b = p[(i + 1) % p.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return twice / 2;
}

Path clip_polygon(const Path& polygon, const Rect& box) {
  Path shape = polygon;
  const auto cut = [&shape](auto distance) {  // keeps where distance ≥ 0
    Path kept;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const Point p = shape[i], q = shape[(i + 1) % shape.size()];
      const double dp = distance(p), dq = distance(q);
      if (dp >= 0) kept.push_back(p);
      if ((dp >= 0) != (dq >= 0)) kept.push_back(between(p, q, dp / (dp - dq)));
    }
    shape = std::move(kept);
  };
  cut([&](Point p) { return p.x - box.x; });
  cut([&](Point p) { return box.x + box.w - p.x; });
  cut([&](Point p) { return p.y - box.y; });
  cut([&](Point p) { return box.y + box.h - p.y; });
  return shape;
}

}  // namespace orrery::figure
