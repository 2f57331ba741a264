#include "app/gui/triangulate.h"

#include <algorithm>
#include <numeric>

namespace orrery::gui {
namespace {

double cross(ImVec2 a, ImVec2 b, ImVec2 c) {
  return (static_cast<double>(b.x) - a.x) * (static_cast<double>(c.y) - a.y) -
         (static_cast<double>(b.y) - a.y) * (static_cast<double>(c.x) - a.x);
}

bool inside(ImVec2 p, ImVec2 a, ImVec2 b, ImVec2 c) {
  return cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0;
}

bool same(ImVec2 a, ImVec2 b) {
  return a.x == b.x && a.y == b.y;
}

}  // namespace

double signed_area(std::span<const ImVec2> points) {
  double twice = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImVec2 a = points[i], b = points[(i + 1) % points.size()];
    twice += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
  }
  return twice / 2;
}

std::vector<Triangle> triangulate(std::span<const ImVec2> points) {
  std::vector<Triangle> triangles;
  if (points.size() < 3) return triangles;
  std::vector<int> ring(points.size());
  std::iota(ring.begin(), ring.end(), 0);
  if (signed_area(points) < 0) std::reverse(ring.begin(), ring.end());
  const auto at = [&](int i) { return points[static_cast<std::size_t>(i)]; };

  const auto is_ear = [&](std::size_t i) {
    const std::size_t n = ring.size();
    const ImVec2 a = at(ring[(i + n - 1) % n]), b = at(ring[i]), c = at(ring[(i + 1) % n]);
    if (cross(a, b, c) < 0) return false;
    for (std::size_t k = 2; k + 1 < n; ++k) {
      const std::size_t j = (i + k) % n;
      const ImVec2 p = at(ring[j]);
      // Only a corner that bends inwards can lie in an ear.
      if (cross(at(ring[(j + n - 1) % n]), p, at(ring[(j + 1) % n])) > 0) continue;
      if (!same(p, a) && !same(p, b) && !same(p, c) && inside(p, a, b, c)) return false;
    }
    return true;
  };

  std::size_t i = 0, tried = 0;
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    // After a whole round without an ear the polygon crosses itself: cut where we stand, so that there is an
    // end.
    if (is_ear(i) || tried > n) {
      triangles.push_back({ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]});
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      tried = 0;
      // Going on beside the cut, not at it, keeps the triangles of a long band short.
      i = (i + 1) % ring.size();
    } else {
      i = (i + 1) % n;
      ++tried;
    }
  }
  triangles.push_back({ring[0], ring[1], ring[2]});
  return triangles;
}

}  // namespace orrery::gui
