// Three dimensions, projected into ordinary marks: seen from afar, without perspective.
//
//   Space space(view_of(settings));                        // parameters: azimuth_parameter(), elevation_parameter()
//   panel.marks = {space.line(orbit), space.points(tips, {.ink = series(1)})};
//   space.add_handle(panel, vector, "vector", "drag: it moves in the plane of the page");
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/kit/declare.h"
#include "core/parameter/settings.h"

namespace orrery::study {

using Point3 = std::array<double, 3>;

/// From where space is looked at, in degrees: round the third axis from the first, and up from the plane of the first two.
struct View {
  double azimuth = 35, elevation = 25;
};

constexpr Parameter azimuth_parameter(std::string_view fallback = "35") {
  return real("azimuth", "Azimuth", fallback, {-180, 180},
              "from where space is looked at: round the vertical axis",
              {.unit = "degrees", .plays = true, .presentation = true});
}
constexpr Parameter elevation_parameter(std::string_view fallback = "25") {
  return real("elevation", "Elevation", fallback, {-90, 90},
              "from where space is looked at: above the plane, or below",
              {.unit = "degrees", .presentation = true});
}
/// Of the two parameters above.
View view_of(const parameter::Settings&);

class Space {
 public:
  explicit Space(View);

  /// Where a point stands on the page, and how far it stands towards the eye.
  struct OnPage {
    double x, y, depth;
  };
  OnPage at(const Point3&) const;
  /// The directions in space in which the page goes right and up, and the one towards the eye: of length 1, at right angles.
  const Point3& across() const { return across_; }
  const Point3& up() const { return up_; }
  const Point3& towards() const { return towards_; }

  /// Places of the points in the order in which they are painted, the farthest first; those as far as one another stay in
  /// their order.
  std::vector<std::size_t> far_to_near(std::span<const Point3>) const;

  // Marks; `look` is all but the data. A line goes as it is given, points the farthest first.
  figure::Line line(std::span<const Point3>, figure::Line look = {}) const;
  figure::Points points(std::span<const Point3>, figure::Points look = {}) const;
  /// From the origin.
  figure::Arrows arrow(const Point3&, figure::Arrows look = {}) const;

  /// A point in the accent colour that a person drags in the plane of the page, its depth kept: the vector `parameter`, whose
  /// components from `component` on are the point.
  void add_handle(figure::Panel&, const Point3&, std::string parameter, std::string hint,
                  int component = 0) const;
  /// A place below what is drawn within `radius` that turns the view about the vertical axis, right across in half a turn.
  /// Nothing is drawn there but by the window: on a page nobody turns anything.
  void add_turning(figure::Panel&, double radius, std::string hint) const;

  /// A panel for what lies within `radius` of the origin: as wide as high, without axes.
  static figure::Panel panel(std::string title, double radius);

 private:
  View view_;
  Point3 across_, up_, towards_;
};

}  // namespace orrery::study
