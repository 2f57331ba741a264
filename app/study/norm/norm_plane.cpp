#include "app/study/norm/norm_plane.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/study/kit/panels.h"

namespace orrery::study {
namespace {

using figure::Ink;
using figure::Role;

double deviation(const twin::Matrix& row) {
  return std::sqrt((row.array() - row.mean()).square().mean());
}

figure::Arrows arrow(double from_x, double from_y, double to_x, double to_y, Ink of) {
  return {.x = {from_x}, .y = {from_y}, .dx = {to_x - from_x}, .dy = {to_y - from_y}, .ink = of};
}

}  // namespace

Series norm_plane(const twin::Matrix& x, const BothNorms& y, double scale) {
  Series plane("plane", {.name = "of", .values = {0, 1, 2}, .words = {"$x$", "LayerNorm", "RMSNorm"}});
  plane.add("mean", {x.mean() / scale, y.layer.mean(), y.rms.mean()});
  plane.add("deviation", {deviation(x) / scale, deviation(y.layer), deviation(y.rms)});
  return plane;
}

figure::Panel norm_plane_panel(const Series& plane, double mean, bool alone) {
  const std::vector<double>&across = plane["mean"], &up = plane["deviation"];
  constexpr double margin = 0.2;
  const double reach = 1 + margin;
  figure::Panel panel{
      .title = "Mean and deviation",
      .x = {.label = "mean",
            .range = figure::Range{std::min(-reach, mean - margin), std::max(reach, mean + margin)}},
      .y = {.label = "deviation", .range = figure::Range{0, std::max(reach, up[0] + margin)}},
      // Beside the components their colours are named there.
      .legend = alone ? figure::LegendPlace::above : figure::LegendPlace::none,
      .equal_aspect = true};
  const auto named = [&](const char* text) { return std::string(alone ? text : ""); };
  const auto point = [&](std::size_t i, figure::Points look) {
    look.x = {across[i]};
    look.y = {up[i]};
    look.radius = 2.4;
    return look;
  };
  // LayerNorm first takes the mean away; RMSNorm goes along the ray to the origin.
  panel.marks = {
      figure::Arc{.radius = 1, .from = 0, .sweep = 3.141592653589793, .ink = ink(Role::outline)},
      figure::Rule{.at = 0, .ink = ink(Role::secondary), .dash = figure::Dash::dotted},
      figure::Line{.x = {0, across[0]},
                   .y = {0, up[0]},
                   .ink = ink(Role::faint),
                   .width = 0.7,
                   .dash = figure::Dash::dotted,
                   .reading = {.none = true}},
      figure::Line{.x = {across[1], across[2]},
                   .y = {up[1], up[2]},
                   .ink = figure::series(2),
                   .label = named("apart"),
                   .dash_by_series = false},
      arrow(across[0], up[0], across[1], up[1], figure::series(0)),
      arrow(across[0], up[0], across[2], up[2], figure::series(1)),
      point(1, {.ink = figure::series(0), .label = named("LayerNorm")}),
      point(2, {.ink = figure::series(1), .symbol = figure::Symbol::ring, .label = named("RMSNorm")})};
  add_handle(panel, across[0], up[0], "mean", "drag to move the common mean");
  return panel;
}

Check stays_in_plane(const Series& plane, double distance, double slack) {
  const double chord =
      std::hypot(plane["mean"][1] - plane["mean"][2], plane["deviation"][1] - plane["deviation"][2]);
  return {"the chord between the two is their RMS distance", std::abs(chord - distance), slack};
}

}  // namespace orrery::study
