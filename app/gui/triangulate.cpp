#include "app/gui/triangulate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace orrery::gui {
namespace {

using Ring = std::vector<int>;
using Points = std::span<const ImVec2>;

ImVec2 at(Points points, int i) {
  return points[static_cast<std::size_t>(i)];
}

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

/// What one place is found again by; -0 is 0.
std::uint64_t place(ImVec2 p) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(p.x + 0.0f)} << 32 |
         std::bit_cast<std::uint32_t>(p.y + 0.0f);
}

double signed_area(Points points, const Ring& ring) {
  const ImVec2 first = at(points, ring.front());
  double twice = 0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i)
    twice += cross(first, at(points, ring[i]), at(points, ring[i + 1]));
  return twice / 2;
}

/// Whether a ring goes around a place.
bool surrounds(Points points, const Ring& ring, ImVec2 p) {
  bool odd = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const ImVec2 a = at(points, ring[i]), b = at(points, ring[(i + 1) % ring.size()]);
    if ((a.y <= p.y) != (b.y <= p.y)) odd ^= (cross(a, b, p) > 0) == (b.y > a.y);
  }
  return odd;
}

/// A way that comes back to where it was has closed a ring: it is taken off there. What is as thin as a line is nobody's.
std::vector<Ring> taken_apart(Points points) {
  std::vector<Ring> rings;
  Ring way;
  std::unordered_map<std::uint64_t, std::size_t> seen;  // where on the way
  const auto take_off = [&](std::size_t from) {
    if (way.size() - from >= 3)
      rings.emplace_back(way.begin() + static_cast<std::ptrdiff_t>(from), way.end());
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [before, fresh] = seen.try_emplace(place(points[i]), way.size());
    if (fresh) {
      way.push_back(static_cast<int>(i));
      continue;
    }
    const std::size_t from = before->second;
    take_off(from);
    for (std::size_t k = from + 1; k < way.size(); ++k) seen.erase(place(at(points, way[k])));
    way.resize(from + 1);
  }
  take_off(0);
  return rings;
}

/// The pieces of a polygon that hang together by single points, as a band does where it has no width. A hole that touches
/// the rim is no piece of its own: with one of those the polygon stays whole.
std::vector<Ring> pieces(Points points) {
  Ring whole(points.size());
  std::iota(whole.begin(), whole.end(), 0);
  std::vector<Ring> rings = taken_apart(points);
  const bool left = signed_area(points, whole) < 0;
  const auto turns_back = [&](const Ring& ring) { return (signed_area(points, ring) < 0) != left; };
  for (const Ring& hole : rings) {
    if (!turns_back(hole)) continue;
    const ImVec2 a = at(points, hole[0]), b = at(points, hole[1]), middle((a.x + b.x) / 2, (a.y + b.y) / 2);
    for (const Ring& around : rings)
      if (!turns_back(around) && surrounds(points, around, middle)) return {whole};
  }
  return rings;
}

/// Clips the ears of one piece.
class Ears {
 public:
  Ears(Points points, Ring ring) : points_(points), ring_(std::move(ring)) {
    if (signed_area(points_, ring_) < 0) std::reverse(ring_.begin(), ring_.end());
  }

  void clip_to(std::vector<Triangle>& triangles) {
    std::size_t i = 0, tried = 0;
    int rounds = most_rounds;
    while (ring_.size() > 3) {
      const std::size_t n = ring_.size();
      const bool none = tried > (rounds > 0 ? n : std::min(n, nearby));
      if (none) {
        i = smallest();
        --rounds;
      }
      if (none || is_ear(i)) {
        triangles.push_back({ring_[before(i)], ring_[i], ring_[after(i)]});
        ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(i));
        tried = 0;
        // Going on beside the cut, not at it, keeps the triangles of a long band short.
        i = (i + 1) % ring_.size();
      } else {
        i = after(i);
        ++tried;
      }
    }
    triangles.push_back({ring_[0], ring_[1], ring_[2]});
  }

 private:
  // After so many whole rounds without an ear only the next few corners are tried, so that thousands of points do not take
  // long.
  static constexpr int most_rounds = 16;
  static constexpr std::size_t nearby = 32;

  std::size_t before(std::size_t i) const { return (i + ring_.size() - 1) % ring_.size(); }
  std::size_t after(std::size_t i) const { return (i + 1) % ring_.size(); }
  ImVec2 corner(std::size_t i) const { return at(points_, ring_[i]); }
  double turn(std::size_t i) const { return cross(corner(before(i)), corner(i), corner(after(i))); }

  /// Whether the polygon, where it comes by a second time, goes on between the two sides of a convex corner.
  bool goes_between(std::size_t j, ImVec2 a, ImVec2 b, ImVec2 c) const {
    for (const std::size_t k : {before(j), after(j)})
      if (cross(b, c, corner(k)) > 0 && cross(b, a, corner(k)) < 0) return true;
    return false;
  }

  /// Whether a corner of the rest keeps a, b and c from being an ear.
  bool in_the_way(std::size_t j, ImVec2 a, ImVec2 b, ImVec2 c) const {
    const ImVec2 p = corner(j);
    if (!inside(p, a, b, c)) return false;
    if (same(p, a)) return goes_between(j, c, a, b);
    if (same(p, b)) return goes_between(j, a, b, c);
    if (same(p, c)) return goes_between(j, b, c, a);
    return turn(j) <= 0;  // only one that bends inwards can lie in an ear
  }

  bool is_ear(std::size_t i) const {
    const std::size_t n = ring_.size();
    const ImVec2 a = corner(before(i)), b = corner(i), c = corner(after(i));
    if (cross(a, b, c) < 0) return false;
    for (std::size_t k = 2; k + 1 < n; ++k)
      if (in_the_way((i + k) % n, a, b, c)) return false;
    return true;
  }

  /// Where the polygon crosses itself, mostly by less than a pixel, the cut that does least harm.
  std::size_t smallest() const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ring_.size(); ++i)
      if (const double size = std::abs(turn(i)); size < least) least = size, best = i;
    return best;
  }

  Points points_;
  Ring ring_;
};

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
  for (Ring& piece : pieces(points)) Ears(points, std::move(piece)).clip_to(triangles);
  return triangles;
}

}  // namespace orrery::gui
