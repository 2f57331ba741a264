#include <algorithm>
#include <cmath>

#include "app/figure/histogram.h"
#include "app/study/kit.h"
#include "app/study/norm/norm_kin.h"

namespace orrery::study {
namespace {

constexpr int columns = 2;

/// Of every so many features the one that is largest by size: nothing that stands out is lost between the pixels.
Index block_of(Index width) {
  constexpr Index most_blocks = 96;
  return width <= 128 ? 1 : (width + most_blocks - 1) / most_blocks;
}

Heatmap largest_by_size(const Matrix& y, ColorScale colors) {
  const Index size = block_of(y.cols()), count = (y.cols() + size - 1) / size;
  Matrix blocks(y.rows(), count);
  for (Index i = 0; i < y.rows(); ++i)
    for (Index k = 0; k < count; ++k) {
      const auto block = y.row(i).segment(k * size, std::min(size, y.cols() - k * size));
      const double high = block.maxCoeff(), low = block.minCoeff();
      blocks(i, k) = high >= -low ? high : low;
    }
  Heatmap map = heatmap(blocks, std::move(colors));
  map.x.hi = number(count * size) - 0.5;
  return map;
}

struct Place {
  std::string_view name;
  const Matrix* y;
  figure::Cell cell;
};

/// The input, and all that became of it.
std::vector<Place> places_of(const NormKin& kin) {
  std::vector<Place> places{{"Before", &kin.x, {}}};
  for (const Kin& each : kin.all) places.push_back({each.name, &each.y, {}});
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i].cell = {static_cast<int>(i) / columns, static_cast<int>(i) % columns};
  return places;
}

figure::Figure grid_of(std::string title, std::string description, std::vector<Panel> panels, double aspect) {
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  figure::Figure all{.title = std::move(title), .description = std::move(description), .aspect = aspect};
  for (std::size_t i = 0; i < panels.size(); ++i) panels[i].rank = static_cast<int>(i);
  all.panels = std::move(panels);
  all.row_weights.assign(rows, 1);
  all.col_weights.assign(columns, 1);
  return all;
}

figure::Figure pairs_figure(const NormKin& kin, const Matrix& pairs, std::string title,
                            std::string description, std::string label, int decimals) {
  Panel panel = square_map_panel(
      "", heatmap(pairs, {.map = ColorMap::cividis, .label = std::move(label), .bar = false}), "", "");
  std::get<Heatmap>(panel.marks[0]).decimals = decimals;
  for (const Kin& each : kin.all) panel.y.names.emplace_back(each.name);
  panel.x.names = panel.y.names;
  panel.x.numbers =
      false;  // the same norms from left to right: upright, their names take the height of a slide
  return {.title = std::move(title),
          .description = std::move(description),
          .panels = {std::move(panel)},
          .aspect = 1.25};
}

}  // namespace

figure::Figure kin_figure(const NormKin& kin) {
  const Index block = block_of(kin.x.cols());
  // Deviations. All but three normal numbers in a thousand are within 3; the largest of many hardly beyond 6.
  const double reach = block == 1 ? 3 : 6;
  const std::string label =
      block == 1 ? "$y_j$ to ±3" : "$y_j$ to ±6, largest of every " + grouped(number(block));
  const double size = std::sqrt(kin.x.squaredNorm() / number(kin.x.size()));
  std::vector<Panel> panels;
  for (const Place& place : places_of(kin)) {
    const bool input = panels.empty();
    const double most = input && size > 0 ? reach * size : reach;
    Panel panel = map_panel(input ? "Before, to ±" + short_text(most, 2) : std::string(place.name),
                            largest_by_size(*place.y, {.map = ColorMap::diverging,
                                                       .range = Range{-most, most},
                                                       .label = input ? "" : label,
                                                       .bar = !input,
                                                       .group = input ? 0 : 1}),
                            "feature $j$", "token");
    panel.x.range = cells(number(kin.x.cols()));
    panel.cell = place.cell;
    panel.x.group = 1;
    panel.y.group = 2;
    panels.push_back(std::move(panel));
  }
  return grid_of(
      "One batch through the norms and their kin: BatchNorm alone looks across the tokens",
      "Maps of tokens and features: a batch, and what each norm makes of it, gain and bias included.",
      std::move(panels), 0.9);
}

figure::Figure kin_histograms_figure(const NormKin& kin) {
  std::vector<Panel> panels;
  for (const Place& place : places_of(kin)) {
    const std::vector<double> all(place.y->data(), place.y->data() + place.y->size());
    const bool input = panels.empty();
    const double least = place.y->minCoeff(), most = place.y->maxCoeff();
    figure::Histogram bars = figure::histogram(
        all, {.count = 24, .range = least < most ? Range{least, most} : Range{least - 0.5, least + 0.5}});
    bars.ink = series(input ? 1 : 0);
    Panel panel{.title = std::string(place.name),
                .x = {.label = input ? "$x_j$" : "$y_j$", .group = input ? 0 : 1},
                .y = values("count"),
                .marks = {std::move(bars)},
                .legend = LegendPlace::none,
                .cell = place.cell};
    panels.push_back(std::move(panel));
  }
  const double before = kin.x.cwiseAbs().maxCoeff(), after = kin.all[1].y.cwiseAbs().maxCoeff();
  return grid_of("The largest component of this batch is " + short_text(before, 3) + ", after RMSNorm " +
                     short_text(after, 3),
                 "How often each value occurs in a batch, and in what each norm makes of it.",
                 std::move(panels), 0.95);
}

figure::Figure kin_difference_figure(const NormKin& kin) {
  return pairs_figure(
      kin, kin.apart, "LayerNorm and RMSNorm of this batch are " + short_text(kin.apart(0, 1), 3) + " apart",
      "A map of each norm against each: the root of the mean square of their difference.", "RMS distance", 2);
}

figure::Figure kin_angles_figure(const NormKin& kin) {
  const double angle = kin.angle(0, 1);
  return pairs_figure(
      kin, kin.angle,
      std::isfinite(angle)
          ? "LayerNorm and RMSNorm of this batch are at " + short_text(angle, 3) + " degrees to one another"
          : "LayerNorm leaves nothing of this batch that has a direction",
      "A map of each norm against each: the angle between the two results of a token, the mean over the "
      "tokens.",
      "angle / degrees", 1);
}

}  // namespace orrery::study
