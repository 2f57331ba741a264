#include "app/figure/arcs.h"

#include <cmath>
#include <numbers>

namespace orrery::figure {

namespace {

constexpr double off_the_circle = 1e-6;  // points
constexpr double widest_step = 0.35;     // radians: a symbol of 24 corners is a circle, one of 4 is not
constexpr double least_step = 0.005;     // radians: the top of a parabola is a circle too, seen so closely
constexpr std::size_t least_points = 5;
constexpr double largest_radius = 1e4;  // points: flatter, it is a line

/// The circle through three points; a radius of 0 where there is none.
ArcRun circle(Point a, Point b, Point c) {
  const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
  const double twice = 2 * (bx * cy - by * cx);
  const double bb = bx * bx + by * by, cc = cx * cx + cy * cy;
  const double x = (cy * bb - by * cc) / twice, y = (bx * cc - cx * bb) / twice;
  const double radius = std::hypot(x, y);
  if (!(radius < largest_radius)) return {};
  return {0, 0, {a.x + x, a.y + y}, radius, 0, 0};
}

/// How far the second point is turned from the first, in (−π, π].
double turned(Point centre, Point from, Point to) {
  const double ax = from.x - centre.x, ay = from.y - centre.y, bx = to.x - centre.x, by = to.y - centre.y;
  return std::atan2(ax * by - ay * bx, ax * bx + ay * by);
}

/// The run that begins here; `last` == `first` where there is none.
ArcRun run_from(const Path& path, std::size_t first) {
  if (first + least_points > path.size()) return {first, first, {}, 0, 0, 0};
  ArcRun run = circle(path[first], path[first + 2], path[first + 4]);
  run.first = run.last = first;
  if (!(run.radius > 0)) return run;
  const auto on_it = [&](Point p) {
    return std::abs(std::hypot(p.x - run.centre.x, p.y - run.centre.y) - run.radius) < off_the_circle;
  };
  while (run.last + 1 < path.size() && on_it(path[run.last + 1])) {
    const double step = turned(run.centre, path[run.last], path[run.last + 1]);
    const bool onwards = run.sweep == 0 || (step > 0) == (run.sweep > 0);
    if (std::abs(step) < least_step || std::abs(step) > widest_step || !onwards) break;
    if (std::abs(run.sweep + step) > 2 * std::numbers::pi + 1e-6) break;
    run.sweep += step;
    ++run.last;
  }
  if (run.last - first + 1 < least_points) run.last = first;
  run.from = std::atan2(path[first].y - run.centre.y, path[first].x - run.centre.x);
  return run;
}

}  // namespace

bool ArcRun::whole() const {
  return std::abs(std::abs(sweep) - 2 * std::numbers::pi) < 1e-6;
}

std::vector<ArcRun> arc_runs(const Path& path) {
  std::vector<ArcRun> runs;
  for (std::size_t at = 0; at + 1 < path.size();) {
    const ArcRun run = run_from(path, at);
    if (run.last == at) {
      ++at;
      continue;
    }
    runs.push_back(run);
    at = run.last;
  }
  return runs;
}

bool RoundPath::is_circle() const {
  return arcs.size() == 1 && arcs[0].first == 0 && arcs[0].last + 1 == points.size() && arcs[0].whole();
}

RoundPath round_path(const Path& path, bool closed) {
  RoundPath result{path, {}};
  if (closed && !path.empty()) result.points.push_back(path.front());
  result.arcs = arc_runs(result.points);
  if (closed && (result.arcs.empty() || result.arcs.back().last + 1 < result.points.size()))
    result.points = path;
  return result;
}

}  // namespace orrery::figure
