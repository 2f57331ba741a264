// The surface on which RMSNorm of three features ends: the sphere of radius √3, each axis stretched by its gain; and which
// part of it the eye sees.
#pragma once

#include <numbers>
#include <vector>

#include "app/study/kit/space.h"

namespace orrery::study {

/// √D: where a root mean square is 1.
inline constexpr double gained_sphere_radius = std::numbers::sqrt3;

class GainedSphere {
 public:
  GainedSphere(const Space&, const std::vector<double>& gain);

  Point3 stretched(const Point3&) const;
  /// Whether the surface at the stretched point is turned towards the eye; `p` is the point before.
  bool towards_eye(const Point3& p) const;
  /// Where the surface turns away from the eye; nothing where two gains are 0.
  std::vector<Point3> rim() const;
  /// The circle on the unstretched sphere about a unit vector, `height` of the radius along it; stretched.
  std::vector<Point3> circle(const Point3& axis, double height) const;
  /// The same in two lines: what is before the surface, and below it what is behind.
  void add_circle(figure::Panel&, const Point3& axis, double height, figure::Line before,
                  figure::Line behind) const;

 private:
  const Space& space_;
  std::vector<double> gain_;
};

}  // namespace orrery::study
