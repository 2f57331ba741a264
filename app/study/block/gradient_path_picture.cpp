#include "app/study/block/gradient_path_picture.h"

namespace orrery::study::block_gradient_path {
namespace {

/// Places 0 … 2N, half a layer apart.
std::vector<double> places(const Settings& settings) {
  std::vector<double> all;
  for (Index k = 0; k <= 2 * settings.integer("depth"); ++k) all.push_back(number(k) / 2);
  return all;
}

std::string column_of(const Kind& kind, std::string_view what) {
  return std::string(kind.name) + ", " + std::string(what);
}

constexpr std::array reached{"identity", "up to 1", "up to 2", "all"};

std::vector<double> every_second(const std::vector<double>& all, std::size_t from) {
  std::vector<double> some;
  for (std::size_t i = from; i < all.size(); i += 2) some.push_back(all[i]);
  return some;
}

Axis layer_axis(const Settings& settings) {
  return counts("layer", Range{0, settings.real("depth")});
}

}  // namespace

Series share_series(const Settings& settings, const Found& found) {
  Series shares("shares", {"layer", "", places(settings)});
  shares.add("nothing", [](double) { return 0.0; });
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    std::vector<double> so_far(shares.size());
    for (std::size_t m = 0; m < path_kinds; ++m) {
      for (std::size_t k = 0; k < so_far.size(); ++k) so_far[k] += 100 * found.of[i].shares[m][k];
      shares.add(column_of(kinds[i], reached[m]), so_far);
    }
  }
  return shares;
}

Series path_series(const Settings& settings, const Found& found) {
  Series path("path", {"layer", "", places(settings)});
  for (std::size_t i = 0; i < kinds.size(); ++i) path.add(std::string(kinds[i].name), found.of[i].identity);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    path.add(column_of(kinds[i], "gradient"), found.of[i].gradient);
  return path;
}

Series sum_series(const Settings& settings, const GradientPaths& paths) {
  Series sums("sums", {"layer", "", numbered(settings.integer("depth"))});
  sums.add("identity, by attention", every_second(paths.identity_gain, 0))
      .add("attention", every_second(paths.branch_gain, 0))
      .add("identity, by feed-forward", every_second(paths.identity_gain, 1))
      .add("feed-forward", every_second(paths.branch_gain, 1))
      .add("path, by attention", every_second(paths.path_gain, 0))
      .add("path, by feed-forward", every_second(paths.path_gain, 1));
  return sums;
}

Series depth_series(const Found& found) {
  Series depth("depth", {"layers", "", found.depths});
  for (std::size_t i = 0; i < kinds.size(); ++i) depth.add(std::string(kinds[i].name), found.by_depth[i]);
  return depth;
}

Panel share_panel(const Settings& settings, const Series& shares, const Kind& kind) {
  const auto band = [&](std::string_view lo, std::string_view hi, Ink ink, std::string label) {
    return shares.band(lo, hi, {.ink = ink, .label = std::move(label)});
  };
  const auto column = [&](std::size_t m) { return column_of(kind, reached[m]); };
  // Where tints differ little from each other and from the ground, their borders tell them apart.
  const auto border = [&](std::size_t m) {
    return shares.line(
        column(m),
        {.ink = ink(Role::text, 0.7), .width = 0.6, .dash_by_series = false, .reading = {.none = true}});
  };
  Panel panel{.title = std::string(kind.name),
              .x = layer_axis(settings),
              .y = values("% of the gradient", Range{0, 100}),
              .marks = {band("nothing", column(0), series(0), "the identity alone"),
                        band(column(0), column(1), {Role::series, 1, 0.95}, "1 sublayer"),
                        band(column(1), column(2), {Role::series, 1, 0.6}, "2"),
                        band(column(2), column(3), {Role::series, 1, 0.3}, "3 and more"), border(0),
                        border(1), border(2)},
              .legend = kind.placement == kinds[0].placement && kind.residual ? LegendPlace::above
                                                                              : LegendPlace::none,
              .series_group = 1};
  panel.x.group = 1;
  panel.y.group = 2;
  return panel;
}

Panel sum_panel(const Settings& settings, const Series& sums, const Kind& kind) {
  return {
      .title = "At each sum: " + std::string(kind.name),
      .x = counts("layer", Range{0.5, settings.real("depth") + 0.5}),
      .y = values("times as large", Range{0, std::max({1.05, largest(sums["attention"]) * 1.05,
                                                       largest(sums["feed-forward"]) * 1.05,
                                                       largest(sums["identity, by attention"]) * 1.05,
                                                       largest(sums["identity, by feed-forward"]) * 1.05})}),
      .marks = {sums.line("identity, by feed-forward",
                          {.ink = series(0), .label = "identity, by feed-forward"}),
                sums.line("identity, by attention", {.ink = series(0),
                                                     .dash = Dash::dotted,
                                                     .label = "identity, by attention",
                                                     .dash_by_series = false}),
                sums.points("feed-forward", {.ink = series(1), .label = "feed-forward"}),
                sums.points("attention", {.ink = series(2), .label = "attention"})},
      .legend = LegendPlace::above};
}

Panel path_panel(const Settings& settings, const Series& path, const Kind& kind) {
  Panel panel{
      .title = "Product along the identity path",
      .x = layer_axis(settings),
      .y = values("of the top's gradient"),
      .marks = {path.line("Pre-LN", {.ink = series(0), .label = "Pre-LN, sandwich, output"}),
                path.line("DeepNorm", {.ink = series(4), .label = "DeepNorm"}),
                path.line("Post-LN", {.ink = series(3), .label = "Post-LN"}),
                path.line(column_of(kind, "gradient"), {.ink = ink(Role::secondary),
                                                        .dash = Dash::dotted,
                                                        .label = "whole gradient: " + std::string(kind.name),
                                                        .dash_by_series = false})},
      .legend = LegendPlace::above};
  panel.y.scale = Scale::log(10);
  return panel;
}

Panel depth_panel(const Series& depth) {
  Panel panel{.title = "Identity over whole, at the input",
              .x = octaves("layers $N$"),
              .y = values(""),
              .legend = LegendPlace::above};
  panel.y.scale = Scale::log(10);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].residual)
      panel.marks.push_back(depth.line(
          kinds[i].name, {.ink = series(static_cast<int>(i)), .label = std::string(kinds[i].name)}));
  return panel;
}

}  // namespace orrery::study::block_gradient_path
