#include "app/study/block/placement_panels.h"

#include <algorithm>
#include <cmath>

namespace orrery::study::block_placement {
namespace {

LegendPlace legend_of(const Settings& settings, std::string_view panel) {
  return settings.choice("show") == panel || panel == "depth" ? LegendPlace::above : LegendPlace::none;
}

constexpr int one_group = 1;

/// A curve for each place, the followed one broader.
void add_curves(Panel& panel, const Asked& asked, const Series& series) {
  for (const NormPlace* place : asked.places)
    panel.marks.emplace_back(series.line(place->name, {.ink = ink_of(*place),
                                                       .width = place == asked.followed ? 2.0 : 1.0,
                                                       .label = std::string(place->name)}));
}

/// From the least to the most of all seeds.
figure::ErrorBars seeds_of(const Asked& asked, const Sweep& sweep, const Series& by_depth) {
  figure::ErrorBars bars{.x = by_depth.x(),
                         .y = by_depth[asked.followed->name],
                         .ink = ink_of(*asked.followed),
                         .reading = {.none = true}};
  for (std::size_t i = 0; i < by_depth.size(); ++i) {
    const auto [least, most] = std::ranges::minmax(sweep.at(asked.followed)[i], {}, last_gradient);
    bars.dy.below.push_back(bars.y[i] - last_gradient(least));
    bars.dy.above.push_back(last_gradient(most) - bars.y[i]);
  }
  return bars;
}

}  // namespace

Panel variance_panel(const Settings& settings, const Asked& asked, const Series& squares, const Series& law) {
  Panel panel{.title = "Mean square, law of " + std::string(asked.followed->name),
              .x = counts("layer $l$", Range{0, squares.x().back()}),
              .y = values("$\\overline{x_l^2}$"),
              .legend = legend_of(settings, "variance"),
              .series_group = one_group};
  panel.y.scale = Scale::log(10);
  // The followed curve runs along its law and is drawn over it: where that is one level and no range, it is broad and pale.
  if (law["at least"] == law["at most"])
    panel.marks.emplace_back(law.line("at most", {.ink = ink(Role::accent, 0.35),
                                                  .width = 4.5,
                                                  .label = "on average, by the law",
                                                  .dash_by_series = false}));
  else
    panel.marks.emplace_back(
        law.band("at least", "at most", {.ink = ink(Role::accent, 0.25), .label = "on average, by lemma 2"}));
  add_curves(panel, asked, squares);
  return panel;
}

Panel layers_panel(const Settings& settings, const Asked& asked, const Series& gradients) {
  Panel panel{.title = "Gradient of each layer",
              .x = counts("layer $l$", Range{1, gradients.x().back()}),
              .y = values("$\\| \\partial L / \\partial W_2^l \\|$"),
              .legend = legend_of(settings, "layers"),
              .series_group = one_group};
  panel.y.scale = Scale::log(10);
  add_curves(panel, asked, gradients);
  return panel;
}

Panel depth_panel(const Settings& settings, const Asked& asked, const Sweep& sweep, const Series& by_depth) {
  Panel panel{.title = "Gradient of the last layer, by depth",
              .x = octaves("layers $L$"),
              .y = values("$\\| \\partial L / \\partial W_2^L \\|$"),
              .legend = legend_of(settings, "depth"),
              .series_group = one_group};
  panel.y.scale = Scale::log(10);
  // What falls as the law does would cover it: the law's line begins a little above the followed curve.
  constexpr double above = 1.25;
  const double first = above * by_depth[asked.followed->name].front() * std::sqrt(by_depth.x().front());
  Series law("root", {"layers", "", by_depth.x()});
  law.add("as $1/\\sqrt{L}$", [&](double depth) { return first / std::sqrt(depth); });
  panel.marks.emplace_back(law.line("as $1/\\sqrt{L}$", {.ink = ink(Role::secondary),
                                                         .dash = Dash::dotted,
                                                         .label = "as $1/\\sqrt{L}$",
                                                         .dash_by_series = false,
                                                         .reading = {.none = true}}));
  add_curves(panel, asked, by_depth);
  if (asked.seeds > 1) panel.marks.emplace_back(seeds_of(asked, sweep, by_depth));
  for (const NormPlace* place : asked.places)
    panel.marks.emplace_back(
        by_depth.points(place->name, {.ink = ink_of(*place), .radius = 1.6, .reading = {.none = true}}));
  return panel;
}

Panel logits_panel(const Asked& asked, const Series& logits) {
  Panel panel{.title = "Largest logit, " + std::string(asked.followed->name),
              .x = counts("layer $l$", Range{1, number(asked.layers)}),
              .y = values("$\\max |q^T k| / \\sqrt{d}$"),
              .legend = LegendPlace::above};
  panel.marks.emplace_back(
      quiet_level(largest_normed_logit(asked),
                  asked.qk_norm == transformer::QkNorm::heads ? "$\\sqrt{d}$" : "$D/\\sqrt{d}$"));
  panel.marks.emplace_back(logits.line("without QK-norm", {.ink = series(0), .label = "without QK-norm"}));
  panel.marks.emplace_back(
      logits.line("with QK-norm", {.ink = series(1), .dash = Dash::dashed, .label = "with QK-norm"}));
  return panel;
}

}  // namespace orrery::study::block_placement
