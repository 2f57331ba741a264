#include "app/study/norm/geometry_space.h"

#include "app/study/kit.h"
#include "app/study/norm/gained_sphere.h"

namespace orrery::study {
namespace {

constexpr double diagonal = 1 / std::numbers::sqrt3;  // a component of the unit vector along (1,1,1)

constexpr Point3 ones{diagonal, diagonal, diagonal};

/// Points before the surface in full, those behind it faint, below them.
void add_points(Panel& panel, const Space& space, const GainedSphere& surface, const Matrix& unstretched,
                const Matrix& stretched, const Points& look) {
  std::vector<Point3> before, behind;
  for (Index i = 1; i < stretched.rows(); ++i)
    (surface.towards_eye(point_of(unstretched, i)) ? before : behind).push_back(point_of(stretched, i));
  Points faint = look;
  faint.ink.alpha *= 0.35;
  faint.label.clear();
  faint.reading.none = true;
  if (!behind.empty()) panel.marks.emplace_back(space.points(behind, faint));
  if (!before.empty()) panel.marks.emplace_back(space.points(before, look));
}

void add_axes(Panel& panel, const Space& space, double length) {
  for (std::size_t j = 0; j < 3; ++j) {
    Point3 tip{};
    tip[j] = length;
    panel.marks.emplace_back(space.arrow(tip, {.ink = ink(Role::secondary), .width = 0.7, .head = 4}));
    const Space::OnPage at = space.at(tip);
    panel.marks.emplace_back(Annotation{.x = at.x,
                                        .y = at.y,
                                        .text = "$x_" + std::to_string(j + 1) + "$",
                                        .ink = ink(Role::secondary),
                                        .heads = figure::Heads::none});
  }
  const double far = 1.15 * length * diagonal;
  const std::array along{Point3{-far, -far, -far}, Point3{far, far, far}};
  panel.marks.emplace_back(space.line(
      along, {.ink = ink(Role::secondary), .width = 0.7, .dash = Dash::dash_dot, .reading = {.none = true}}));
  const Space::OnPage end = space.at(along[1]);
  panel.marks.emplace_back(Annotation{.x = end.x,
                                      .y = end.y,
                                      .text = "$(1, 1, 1)$",
                                      .ink = ink(Role::secondary),
                                      .heads = figure::Heads::none});
}

/// Where points go on the page, as a line that no read-out speaks of.
Line quiet_line(const Space& space, std::span<const Point3> points, Ink of, Dash dash = Dash::solid) {
  return space.line(
      points, {.ink = of, .width = 0.9, .dash = dash, .dash_by_series = false, .reading = {.none = true}});
}

std::vector<Point3> points_of(const Matrix& rows) {
  std::vector<Point3> points;
  for (Index i = 0; i < rows.rows(); ++i) points.push_back(point_of(rows, i));
  return points;
}

}  // namespace

Panel geometry_space_panel(View view, const std::vector<double>& gain, const GeometryTokens& tokens,
                           const GeometryTokens& track) {
  const Space space(view);
  const GainedSphere surface(space, gain);
  const Point3 token = point_of(tokens.x, 0), layer = point_of(tokens.layer_gained, 0),
               rms = point_of(tokens.rms_gained, 0);
  const double reach = std::max({gained_sphere_radius, gained_sphere_radius * largest(gain),
                                 0.85 * std::hypot(token[0], token[1], token[2])});
  Panel panel = Space::panel("Three features as a point in space", 1.08 * reach);
  panel.legend = LegendPlace::above;

  const std::vector<Point3> disc = surface.circle(ones, 0);
  Line outline = space.line(disc);
  panel.marks.emplace_back(
      figure::Shape{.x = outline.x, .y = outline.y, .fill = Ink{Role::series, 0, 0.09}, .edge = {}});
  const Line thin{.ink = ink(Role::outline), .width = 0.5, .reading = {.none = true}};
  const Line hidden{
      .ink = ink(Role::outline, 0.4), .width = 0.5, .dash = Dash::dotted, .reading = {.none = true}};
  for (const double height : {-0.75, -0.4, 0.4, 0.75}) surface.add_circle(panel, ones, height, thin, hidden);
  panel.marks.emplace_back(quiet_line(space, surface.rim(), ink(Role::secondary)));
  add_axes(panel, space, 1.2 * reach);
  std::vector<Point3> others = points_of(tokens.x);
  others.erase(others.begin());
  if (!others.empty())
    panel.marks.emplace_back(space.points(
        others,
        {.ink = ink(Role::faint, 0.8), .radius = 1.1, .within = 0.03, .reading = {.name = "tokens"}}));
  add_points(panel, space, surface, tokens.rms, tokens.rms_gained,
             {.ink = series(1), .radius = 1.6, .symbol = Symbol::ring, .within = 0.05});
  surface.add_circle(panel, ones, 0,
                     {.ink = series(0), .width = 1.2, .dash_by_series = false, .reading = {.none = true}},
                     {.ink = {Role::series, 0, 0.45},
                      .width = 0.9,
                      .dash = Dash::dotted,
                      .dash_by_series = false,
                      .reading = {.none = true}});
  add_points(panel, space, surface, tokens.layer, tokens.layer_gained,
             {.ink = series(0), .radius = 1.6, .symbol_by_series = false, .within = 0.05});

  if (track.x.rows() > 0) {
    panel.marks.emplace_back(quiet_line(space, points_of(track.x), ink(Role::text, 0.6), Dash::dotted));
    panel.marks.emplace_back(quiet_line(space, points_of(track.rms_gained), series(1), Dash::dotted));
    panel.marks.emplace_back(quiet_line(space, points_of(track.layer_gained), series(0), Dash::dotted));
  }
  const auto mean = (token[0] + token[1] + token[2]) / 3;
  const Point3 centred{token[0] - mean, token[1] - mean, token[2] - mean};
  panel.marks.emplace_back(quiet_line(space, std::array{token, centred, layer}, series(0)));
  panel.marks.emplace_back(quiet_line(space, std::array{Point3{}, token}, ink(Role::faint)));
  panel.marks.emplace_back(quiet_line(space, std::array{token, rms}, series(1)));
  panel.marks.emplace_back(space.points(
      std::array<Point3, 1>{layer},
      {.ink = series(0), .radius = 3, .label = "LayerNorm", .symbol_by_series = false, .within = 0.09}));
  panel.marks.emplace_back(space.points(
      std::array<Point3, 1>{rms},
      {.ink = series(1), .radius = 3, .symbol = Symbol::ring, .label = "RMSNorm", .within = 0.09}));
  space.add_handle(panel, token, "vector", "drag: the token moves in the plane of the page");
  space.add_turning(panel, 1.08 * reach, "drag to turn space about the third axis");
  return panel;
}

}  // namespace orrery::study
