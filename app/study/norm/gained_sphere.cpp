#include "app/study/norm/gained_sphere.h"

#include <array>
#include <cmath>
#include <limits>

namespace orrery::study {
namespace {

std::vector<Point3> sphere_circle(const Point3& n, double height) {
  constexpr int corners = 180;
  // Two directions across n: the axis least along it, less what is along it.
  std::size_t least = 0;
  for (std::size_t j = 1; j < 3; ++j)
    if (std::abs(n[j]) < std::abs(n[least])) least = j;
  Point3 a{-n[least] * n[0], -n[least] * n[1], -n[least] * n[2]};
  a[least] += 1;
  const double length = std::hypot(a[0], a[1], a[2]);
  for (double& each : a) each /= length;
  const Point3 b{n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]};
  const double wide = gained_sphere_radius * std::sqrt(1 - height * height);
  std::vector<Point3> points;
  for (int i = 0; i <= corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners, c = wide * std::cos(angle),
                 s = wide * std::sin(angle);
    points.push_back({gained_sphere_radius * height * n[0] + c * a[0] + s * b[0],
                      gained_sphere_radius * height * n[1] + c * a[1] + s * b[1],
                      gained_sphere_radius * height * n[2] + c * a[2] + s * b[2]});
  }
  return points;
}

}  // namespace

GainedSphere::GainedSphere(const Space& space, const std::vector<double>& gain)
    : space_(space), gain_(gain) {}

Point3 GainedSphere::stretched(const Point3& p) const {
  return {gain_[0] * p[0], gain_[1] * p[1], gain_[2] * p[2]};
}

bool GainedSphere::towards_eye(const Point3& p) const {
  // Across the surface: the gain's cofactors, which a gain of 0 leaves finite.
  const Point3& t = space_.towards();
  const double volume = gain_[0] * gain_[1] * gain_[2];
  const double facing = p[0] * t[0] * gain_[1] * gain_[2] + p[1] * t[1] * gain_[0] * gain_[2] +
                        p[2] * t[2] * gain_[0] * gain_[1];
  return volume < 0 ? facing <= 0 : facing >= 0;
}

std::vector<Point3> GainedSphere::rim() const {
  const Point3& t = space_.towards();
  const Point3 pole{t[0] * gain_[1] * gain_[2], t[1] * gain_[0] * gain_[2], t[2] * gain_[0] * gain_[1]};
  const double length = std::hypot(pole[0], pole[1], pole[2]);
  if (length == 0) return {};
  return circle({pole[0] / length, pole[1] / length, pole[2] / length}, 0);
}

std::vector<Point3> GainedSphere::circle(const Point3& axis, double height) const {
  std::vector<Point3> points;
  for (const Point3& p : sphere_circle(axis, height)) points.push_back(stretched(p));
  return points;
}

void GainedSphere::add_circle(figure::Panel& panel, const Point3& axis, double height, figure::Line before,
                              figure::Line behind) const {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (const Point3& p : sphere_circle(axis, height)) {
    const Space::OnPage there = space_.at(stretched(p));
    const bool seen = towards_eye(p);
    for (figure::Line* line : {&before, &behind}) {
      const bool drawn = seen == (line == &before);
      line->x.push_back(drawn ? there.x : gap);
      line->y.push_back(drawn ? there.y : gap);
    }
  }
  panel.marks.emplace_back(std::move(behind));
  panel.marks.emplace_back(std::move(before));
}

}  // namespace orrery::study
