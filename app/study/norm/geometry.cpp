// Three features as points in space: what LayerNorm and RMSNorm leave of a token.
#include "app/study/kit.h"
#include "app/study/norm/geometry_space.h"
#include "app/study/norm/norm_ops.h"

namespace orrery::study::norm_geometry {
namespace {

constexpr Index features = 3;
constexpr double furthest = 2;  // a component of the token, and of the gain
constexpr double radius = gained_sphere_radius;

constexpr auto parameters = std::to_array<Parameter>({
    numbers("vector", "Token", "2,0.25,-1", {-furthest, furthest}, "its three features, each an axis",
            {.length = 3}),
    choice("moved", "Moved", "shifted|scaled|nothing",
           "a track of the token: shifted along (1, 1, 1), or scaled"),
    numbers("gain", "Gain", "1,1,1", {-furthest, furthest}, "w: each feature is multiplied by its own",
            {.length = 3}),
    real("eps", "Epsilon", "1e-5", {1e-12, 1}, "added to the variance, and to the mean square",
         {.travel = Travel::log, .model_fact = "rms_norm_eps"}),
    whole("tokens", "Other tokens", "40", {0, 400}, "random ones beside it"),
    seed_parameter("another one gives other tokens"),
    azimuth_parameter("110"),
    elevation_parameter("15"),
    show_parameter("all|space|plane"),
});

Affine gain_of(const Settings& settings) {
  return {.weight = settings.vector("gain")};
}

Matrix tokens_in(const Settings& settings) {
  constexpr double spread = 0.6, common_mean = 0.35;
  Matrix x(1 + settings.integer("tokens"), features);
  for (Index j = 0; j < features; ++j) x(0, j) = settings.vector("vector")[static_cast<std::size_t>(j)];
  if (x.rows() > 1)
    x.bottomRows(x.rows() - 1) =
        (spread * tensor::Random(seed_of(settings)).normals(x.rows() - 1, features)).array() + common_mean;
  return twin::rounded(x);
}

GeometryTokens tokens_of(const Settings& settings, const Run& run) {
  const double eps = settings.real("eps");
  const Matrix x = tokens_in(settings);
  const Affine gain = gain_of(settings);
  return {.x = x,
          .layer = twin::layer_norm(run, x, {.eps = eps}),
          .rms = twin::rms_norm(run, x, {.eps = eps}),
          .layer_gained = twin::layer_norm(run, x, gain, {.eps = eps}),
          .rms_gained = twin::rms_norm(run, x, gain, {.eps = eps})};
}

/// The track of the token, and the norms of it.
GeometryTokens track_of(const Settings& settings, const Run& run) {
  constexpr Index samples = 97;
  const Matrix token = tokens_in(settings).row(0);
  const bool scaled = settings.choice("moved") == "scaled";
  Matrix x(settings.choice("moved") == "nothing" ? 0 : samples, features);
  for (Index i = 0; i < x.rows(); ++i) {
    const double part = number(i) / (samples - 1);
    if (scaled)
      x.row(i) = 1.5 * part * token;
    else
      x.row(i) = token.array() + 2 * (2 * part - 1);
  }
  const double eps = settings.real("eps");
  const Affine gain = gain_of(settings);
  return {.x = x,
          .layer = {},
          .rms = {},
          .layer_gained = twin::layer_norm(run, x, gain, {.eps = eps}),
          .rms_gained = twin::rms_norm(run, x, gain, {.eps = eps})};
}

/// The plane across (1,1,1), looked at along it: the first feature's axis up, as the second and the third go down.
struct Plane {
  double across, up;
};
Plane in_plane(const Point3& p) {
  return {(p[1] - p[2]) / std::numbers::sqrt2, (2 * p[0] - p[1] - p[2]) / std::sqrt(6.0)};
}
Series plane_of(const GeometryTokens& tokens) {
  Series plane("plane", {"token", "", counted(tokens.x.rows())});
  std::vector<double> across, up, centred_across, centred_up;
  for (Index i = 0; i < tokens.x.rows(); ++i) {
    const Plane before = in_plane(point_of(tokens.x, i)), after = in_plane(point_of(tokens.layer, i));
    centred_across.push_back(before.across);
    centred_up.push_back(before.up);
    across.push_back(after.across);
    up.push_back(after.up);
  }
  plane.add("x across", std::move(centred_across)).add("x up", std::move(centred_up));
  plane.add("LayerNorm across", std::move(across)).add("LayerNorm up", std::move(up));
  return plane;
}

/// Looked at along (1,1,1): what LayerNorm takes away is in the line of sight.
Panel plane_panel(const Series& plane) {
  const auto &x = plane["x across"], &y = plane["x up"], &to_x = plane["LayerNorm across"],
             &to_y = plane["LayerNorm up"];
  const double reach = 1.3 * std::max(radius, std::hypot(x[0], y[0]) / 1.1);
  Panel panel{.title = "Looked at along $(1, 1, 1)$, without the gain",
              .x = {.range = Range{-reach, reach}, .visible = false},
              .y = {.range = Range{-reach, reach}, .visible = false},
              .legend = LegendPlace::none,
              .equal_aspect = true};
  panel.marks.emplace_back(
      figure::Arc{.radius = radius, .ink = series(0), .width = 1.2, .fill = Ink{Role::series, 0, 0.09}});
  for (std::size_t j = 0; j < 3; ++j) {
    Point3 axis{};
    axis[j] = 1;
    const Plane tip = in_plane(axis);
    const double length = 1.16 * radius / std::hypot(tip.across, tip.up);
    panel.marks.emplace_back(figure::Arrows{.x = {0},
                                            .y = {0},
                                            .dx = {length * tip.across},
                                            .dy = {length * tip.up},
                                            .ink = ink(Role::secondary),
                                            .width = 0.7,
                                            .head = 4});
    panel.marks.emplace_back(Note{.x = 1.09 * length * tip.across,
                                  .y = 1.09 * length * tip.up,
                                  .text = "$x_" + std::to_string(j + 1) + "$",
                                  .ink = ink(Role::secondary)});
  }
  const auto rest = [](const std::vector<double>& v) { return std::vector<double>(v.begin() + 1, v.end()); };
  Line rays{.ink = ink(Role::outline), .width = 0.5, .reading = {.none = true}};
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 1; i < x.size(); ++i) {
    rays.x.insert(rays.x.end(), {x[i], to_x[i], gap});
    rays.y.insert(rays.y.end(), {y[i], to_y[i], gap});
  }
  if (x.size() > 1) {
    panel.marks.emplace_back(std::move(rays));
    panel.marks.emplace_back(Points{.x = rest(x),
                                    .y = rest(y),
                                    .ink = ink(Role::faint, 0.8),
                                    .radius = 1.1,
                                    .reading = {.name = "tokens"}});
    panel.marks.emplace_back(Points{.x = rest(to_x),
                                    .y = rest(to_y),
                                    .ink = series(0),
                                    .radius = 1.6,
                                    .symbol_by_series = false,
                                    .reading = {.name = "LayerNorm"}});
  }
  panel.marks.emplace_back(
      Line{.x = {0, x[0]}, .y = {0, y[0]}, .ink = ink(Role::faint), .width = 0.9, .reading = {.none = true}});
  panel.marks.emplace_back(Line{.x = {x[0], to_x[0]},
                                .y = {y[0], to_y[0]},
                                .ink = series(0),
                                .width = 0.9,
                                .dash_by_series = false,
                                .reading = {.none = true}});
  panel.marks.emplace_back(Points{.x = {to_x[0]},
                                  .y = {to_y[0]},
                                  .ink = series(0),
                                  .radius = 3,
                                  .symbol_by_series = false,
                                  .reading = {.name = "LayerNorm"}});
  panel.marks.emplace_back(Points{
      .x = {x[0]}, .y = {y[0]}, .ink = ink(Role::accent), .radius = 2.4, .reading = {.name = "token"}});
  return panel;
}

Table table_of(const GeometryTokens& tokens) {
  Table table{"tokens", {{.name = "token"}}};
  table.columns[0].values = counted(tokens.x.rows());
  for (const auto& [name, rows] :
       {std::pair{"x", &tokens.x}, {"LayerNorm", &tokens.layer_gained}, {"RMSNorm", &tokens.rms_gained}})
    for (Index j = 0; j < features; ++j)
      table.columns.push_back({.name = std::string(name) + " " + std::to_string(j + 1),
                               .values = row_of(Matrix(rows->col(j).transpose()))});
  return table;
}

double mean_of(const Point3& p) {
  return (p[0] + p[1] + p[2]) / 3;
}
double variance_of(const Point3& p) {
  const double m = mean_of(p);
  return ((p[0] - m) * (p[0] - m) + (p[1] - m) * (p[1] - m) + (p[2] - m) * (p[2] - m)) / 3;
}
double length_of(const Point3& p) {
  return std::hypot(p[0], p[1], p[2]);
}

/// How far a component of a norm's result may be off. In double a few roundings of the largest component, and as many of
/// what is divided, where the mean takes most of it away: `size` over the deviation.
double component_slack(const Run& run, const twin::Bounds& bounds, const Matrix& y, double size) {
  return slack(run, bounds, y, 8) + 8 * 0x1p-53 * size;
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const GeometryTokens& t) {
  const double eps = settings.real("eps");
  const double shift = 1;
  const Matrix shifted_rows = twin::rounded((t.x.array() + shift).matrix());
  const Matrix shifted = twin::layer_norm(run, shifted_rows, {.eps = eps});
  const Series plane = plane_of(t);
  Worst sum, circle, sphere, ray, flat, same;
  double layer_slack = 0, rounded_shift = 0;
  const double rms_slack = component_slack(run, rms_norm_bounds, t.rms, 0);
  for (Index i = 0; i < t.x.rows(); ++i) {
    const Point3 x = point_of(t.x, i), layer = point_of(t.layer, i), rms = point_of(t.rms, i);
    const double size = largest(x), var = variance_of(x), deviation = std::sqrt(var + eps);
    const double square = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / 3;
    layer_slack = std::max(layer_slack, component_slack(run, layer_norm_bounds, t.layer, size / deviation));
    // Each component of x + 1 is rounded to a float before both see it.
    rounded_shift = std::max(rounded_shift, 0x1p-24 * (size + shift) / deviation);
    sum.meet(std::abs(layer[0] + layer[1] + layer[2]));
    circle.meet(std::abs(length_of(layer) - radius * std::sqrt(var / (var + eps))));
    sphere.meet(std::abs(length_of(rms) - radius * std::sqrt(square / (square + eps))));
    const Point3 turn{rms[1] * x[2] - rms[2] * x[1], rms[2] * x[0] - rms[0] * x[2],
                      rms[0] * x[1] - rms[1] * x[0]};
    ray.meet(length_of(x) == 0 ? 0 : length_of(turn) / length_of(x));
    const auto at = static_cast<std::size_t>(i);
    flat.meet(
        std::abs(std::hypot(plane["LayerNorm across"][at], plane["LayerNorm up"][at]) - length_of(layer)));
    same.meet((shifted.row(i) - t.layer.row(i)).cwiseAbs().maxCoeff());
  }
  const Affine gain = gain_of(settings);
  return {
      {"LayerNorm, before the gain: the features sum to 0, so all ends lie in the plane across $(1, 1, 1)$",
       sum, 3 * layer_slack},
      {"LayerNorm, before the gain: its circle has the radius $\\sqrt{3\\,\\sigma^2 / (\\sigma^2 + \\epsilon)}$",
       circle, 3 * layer_slack},
      {"RMSNorm, before the gain: its sphere has the radius $\\sqrt{3\\,q / (q + \\epsilon)}$, q the mean square",
       sphere, 3 * rms_slack},
      {"RMSNorm, before the gain: a token stays on the ray from the origin", ray, 3 * rms_slack},
      {"looked at along $(1, 1, 1)$ no length of LayerNorm's is lost", flat, 3 * layer_slack},
      {"LayerNorm: a token shifted along $(1, 1, 1)$ ends at the same place", same,
       2 * layer_slack + 4 * rounded_shift},
      named("LayerNorm", twin::equals_reference(run, layer_norm_bounds,
                                                [&](const Run& each) {
                                                  return twin::layer_norm(each, t.x, gain, {.eps = eps});
                                                })),
      named("RMSNorm", twin::equals_reference(
                           run, rms_norm_bounds,
                           [&](const Run& each) { return twin::rms_norm(each, t.x, gain, {.eps = eps}); })),
  };
}

/// Of three gains of which one is 0: whether the other two stretch alike.
bool flat_disc(const std::vector<double>& gain) {
  const double most = std::max({std::abs(gain[0]), std::abs(gain[1]), std::abs(gain[2])});
  return std::ranges::count(gain, most) + std::ranges::count(gain, -most) == 2;
}

/// Where LayerNorm and RMSNorm end, by the gain; or that epsilon keeps the token from it.
std::string title_of(const Settings& settings, const GeometryTokens& tokens) {
  const std::vector<double>& gain = settings.vector("gain");
  switch (std::ranges::count(gain, 0.0)) {  // features that a gain takes away
    case 0:
      break;
    case 1:
      return flat_disc(gain)
                 ? "A gain of 0 makes LayerNorm's circle an ellipse, RMSNorm's sphere a flat disc"
                 : "A gain of 0 makes LayerNorm's circle an ellipse, RMSNorm's sphere a flat ellipse";
    case 2:
      return "Two gains of 0 leave a piece of a line of LayerNorm's circle and of RMSNorm's sphere";
    default:
      return "Gains of 0 leave the origin alone of LayerNorm's circle and of RMSNorm's sphere";
  }
  if (std::abs(gain[0]) != std::abs(gain[1]) || std::abs(gain[1]) != std::abs(gain[2]))
    return "The gain makes LayerNorm's circle an ellipse, RMSNorm's sphere an ellipsoid";
  if (gain[0] != 1 || gain[1] != 1 || gain[2] != 1)
    return "The gain resizes or mirrors LayerNorm's circle and RMSNorm's sphere";
  const std::vector<double>& token = settings.vector("vector");
  if (token[0] == token[1] && token[1] == token[2])
    return "LayerNorm leaves nothing of this token: its components are equal";
  if (length_of(point_of(tokens.layer, 0)) < 0.99 * radius)
    return "Epsilon keeps this token inside LayerNorm's circle";
  return "LayerNorm puts this token on a circle across $(1, 1, 1)$, RMSNorm on a sphere";
}

std::string worked_of(const Settings& settings) {
  using worked::term;
  const std::vector<double>& x = settings.vector("vector");
  const double eps = settings.real("eps"), w = settings.vector("gain")[0];
  const Point3 p{x[0], x[1], x[2]};
  const bool equal = x[0] == x[1] && x[1] == x[2];  // a sum would leave what it rounds
  const double mean = equal ? x[0] : mean_of(p), var = equal ? 0 : variance_of(p),
               square = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / 3;
  const auto squared = [](const worked::Term& t) { return worked::power(t, 2); };
  const auto scaled = [w](const worked::Term& t) { return w == 1 ? t : term(w) * t; };
  const worked::Term from_mean = term(x[0]) - mean;
  return Worked()
      .add("\\mu", frac(term(x[0]) + x[1] + x[2], 3), mean)
      .add("\\sigma^2", frac(squared(from_mean) + squared(term(x[1]) - mean) + squared(term(x[2]) - mean), 3),
           var)
      .add("\\mathrm{LN}_1", scaled(frac(from_mean, sqrt(term(var) + eps))),
           w * (x[0] - mean) / std::sqrt(var + eps))
      .add("\\mathrm{RMS}_1",
           scaled(frac(x[0], sqrt(frac(squared(x[0]) + squared(x[1]) + squared(x[2]), 3) + eps))),
           w * x[0] / std::sqrt(square + eps))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const GeometryTokens tokens = tokens_of(settings, run), track = track_of(settings, run);
  const Series plane = plane_of(tokens);
  Picture picture(
      title_of(settings, tokens),
      "Tokens of three features as points in space, where LayerNorm and RMSNorm put them, and the way there: "
      "LayerNorm along (1, 1, 1) into the plane across it, then out or in to a circle; RMSNorm straight "
      "towards the origin or away from it, to a sphere. Beside it the plane of LayerNorm, looked at along "
      "(1, 1, 1): all that is left of a token there is an angle.");
  picture.at({0, 0}, "space", geometry_space_panel(view_of(settings), settings.vector("gain"), tokens, track))
      .at({0, 1}, "plane", plane_panel(plane));
  return {
      .figure = std::move(picture).figure(
          settings, {.aspect = 1.6, .cols = {1.5, 1}, .aspect_alone = 1.05, .telling = {"space", "plane"}}),
      .tables = {table_of(tokens), plane.table()},
      .checks = checks_of(settings, run, tokens),
      .worked = worked_of(settings)};
}

constexpr auto tries = std::to_array<Try>({
    {"A token that lies close to (1, 1, 1): RMSNorm hardly turns it, LayerNorm throws it far out.",
     "vector=1.1,1,0.9",
     [](auto& now, auto&) {
       return at(now, "tokens", "RMSNorm 1", 0) > 0.9 && at(now, "tokens", "RMSNorm 3", 0) > 0.8 &&
              at(now, "tokens", "LayerNorm 3", 0) < -1.2;
     }},
    {"Three equal features: LayerNorm has nothing left, RMSNorm says 1, 1, 1.", "vector=0.7,0.7,0.7",
     [](auto& now, auto&) {
       return std::abs(at(now, "tokens", "LayerNorm 1", 0)) < 1e-6 &&
              std::abs(at(now, "tokens", "RMSNorm 1", 0) - 1) < 1e-4;
     }},
    {"Scale the token instead: both norms leave it where it is.", "moved=scaled",
     [](auto& now, auto& before) {
       return column(now, "tokens", "RMSNorm 1") == column(before, "tokens", "RMSNorm 1");
     }},
    {"A gain for each feature: an ellipse, and an ellipsoid.", "gain=1.5,1,0.5",
     [](auto& now, auto& before) {
       return std::abs(at(now, "tokens", "LayerNorm 1", 0) - 1.5 * at(before, "tokens", "LayerNorm 1", 0)) <
              1e-6;
     }},
});

}  // namespace

extern const Study study{
    .id = "norm/geometry",
    .title = "Geometry of the norms",
    .topic = "Normalisation",
    .summary = "LayerNorm ends on a circle across (1, 1, 1), RMSNorm on a sphere",
    .formula =
        R"(\mathrm{LayerNorm}(x) = \sqrt{D}\,\frac{P x}{\|P x\|}, \quad P = I - \frac{1}{D} \mathbf{1} \mathbf{1}^T; \qquad \mathrm{RMSNorm}(x) = \sqrt{D}\,\frac{x}{\|x\|} \qquad (\epsilon = 0))",
    .derivation = {},
    .about =
        "To take the mean away is to project along (1, 1, 1); to divide by the deviation or by the root mean square is "
        "to fix the length at √D. So LayerNorm ends on a sphere of one dimension less, here a circle, and RMSNorm on "
        "the whole sphere. The gain then stretches the axes. In the width of a model the two differ by one "
        "dimension in thousands.",
    .source =
        "Brody, Alon, Yahav 2023, arXiv 2305.02582; Gupta, Ozdemir, Anumanchipalli 2024, arXiv 2409.12951",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::norm_geometry
