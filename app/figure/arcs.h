// Circles in paths. A path is points, whoever made it: a clock's rim, an arc, a ring, a ribbon between two radii. Where its
// points lie on one circle, a canvas that can draws the circle itself.
#pragma once

#include <cstddef>
#include <vector>

#include "app/figure/path.h"

namespace orrery::figure {

/// The points from `first` to `last` of a path, about `centre`. With y down, as on the page: a positive `sweep` goes clockwise.
struct ArcRun {
  std::size_t first = 0, last = 0;
  Point centre;
  double radius = 0;
  double from = 0, sweep = 0;  ///< radians: the angle of the first point, and how far the last one is turned

  /// Ends where it began.
  bool whole() const;
};

/// In order, not overlapping but for a point where two of them meet. Five points or more in steps of 0.005 to 0.35 radians,
/// within 1e-6 pt of the circle: what was computed as a circle, and no curve of data.
std::vector<ArcRun> arc_runs(const Path&);

/// A path with its circles. A closed one ends with its first point once more where an arc leads there; a straight way back
/// is left to whoever closes it.
struct RoundPath {
  Path points;
  std::vector<ArcRun> arcs;

  /// All of it is one circle.
  bool is_circle() const;

  /// From the first point on: `straight(point)` to the next one, or `round(arc)`.
  template <class Straight, class Round>
  void follow(Straight&& straight, Round&& round) const {
    auto arc = arcs.begin();
    for (std::size_t at = 0; at + 1 < points.size();) {
      if (arc != arcs.end() && arc->first == at) {
        round(*arc);
        at = arc->last;
        ++arc;
      } else {
        straight(points[++at]);
      }
    }
  }
};
RoundPath round_path(const Path&, bool closed);

}  // namespace orrery::figure
