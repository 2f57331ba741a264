#include "app/study/rope/precision_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/study/text.h"

namespace orrery::study {

using tensor::Index;

double RoundedText::error(double position, std::size_t pair) const {
  const double phi = position::rope_staged_angle(position, frequencies[pair], formats);
  return std::isfinite(phi) ? std::abs(phi - position * spectrum.inv_freq[pair])
                            : std::numeric_limits<double>::quiet_NaN();
}

namespace {

/// Nine decades, up to the one that the worst error can reach: of the fastest pair at the last position, three roundings.
figure::Range error_decades(const RoundedText& text) {
  const auto u = [](tensor::Format format) { return tensor::info(format).unit_roundoff; };
  const double most = static_cast<double>(text.positions.last) * text.spectrum.inv_freq[0] *
                      (u(text.formats.positions) + u(text.formats.frequencies) + u(text.formats.angle));
  constexpr double decades = 9;
  const double top = std::ceil(std::log10(std::max(most, 1e-12)));
  return {top - decades, top};
}

}  // namespace

figure::Panel phase_map(const RoundedText& text) {
  const auto pairs = static_cast<int>(text.spectrum.pairs());
  const auto first = static_cast<double>(text.positions.first),
             last = static_cast<double>(text.positions.last);
  const figure::Range decades = error_decades(text);
  figure::Heatmap map;
  map.x = {first - 0.5, last + 0.5};
  map.y = {-0.5, pairs - 0.5};
  map.full_cols = static_cast<int>(text.positions.count());
  map.full_rows = pairs;
  map.colors = {.map = figure::ColorMap::viridis, .range = decades, .label = "$\\log_{10}$ error (rad)"};
  map.sampler = [text](figure::Range x, figure::Range y, int cols, int rows) {
    figure::Grid grid{rows, cols, std::vector<float>(static_cast<std::size_t>(rows) * cols)};
    for (int r = 0; r < rows; ++r) {
      const double middle = std::round(y.lo + y.length() * (r + 0.5) / rows);
      const auto pair =
          static_cast<std::size_t>(std::clamp<double>(middle, 0, std::ssize(text.frequencies) - 1));
      for (int c = 0; c < cols; ++c) {
        const double position = std::round(x.lo + x.length() * (c + 0.5) / cols);
        grid.values[static_cast<std::size_t>(r) * cols + c] = static_cast<float>(
            std::log10(text.error(position, pair)));  // exact: −∞, drawn as having no error
      }
    }
    return grid;
  };
  figure::Panel panel;
  const bool ends = !std::isfinite(text.error(last, 0));  // pair 0 is the fastest: it overflows first
  panel.title = ends ? "Error of the angle (grey: none; magenta: no angle)"
                     : "Error of the angle, by position and pair (grey: none)";
  panel.x = {.label = "position $m$", .range = map.x, .ticks = figure::TickHint::integers};
  panel.y = {.label = "pair $i$", .range = map.y, .ticks = figure::TickHint::integers, .reversed = true};
  panel.frame = true;
  panel.marks = {std::move(map)};
  return panel;
}

namespace {

/// The decades that the values take, at least one; zeros have no place on a log axis.
figure::Range decades(const PairError& errors) {
  double lo = std::numeric_limits<double>::infinity(), hi = 0;
  for (const auto* values : {&errors.radians, &errors.turned})
    for (const double v : *values) {
      if (v > 0) lo = std::min(lo, v);
      hi = std::max(hi, v);
    }
  return hi > 0 ? figure::Range{lo / 3, hi * 3} : figure::Range{1e-17, 1};
}

}  // namespace

figure::Panel pair_panel(const PairError& errors) {
  figure::Panel panel;
  panel.title = "Worst error by pair";
  panel.x = {.label = "pair $i$", .ticks = figure::TickHint::integers};
  panel.y = {.scale = figure::Scale::log(10), .range = decades(errors), .grid = true};
  panel.legend = figure::LegendPlace::above;
  panel.marks = {figure::Points{.x = errors.pair,
                                .y = errors.radians,
                                .ink = figure::series(0),
                                .radius = 1.2,
                                .label = "angle (rad)",
                                .symbol_by_series = false},
                 figure::Points{.x = errors.pair,
                                .y = errors.turned,
                                .ink = figure::series(1),
                                .radius = 1.2,
                                .symbol = figure::Symbol::square,
                                .label = "turned pair, relative error",
                                .symbol_by_series = false}};
  return panel;
}

figure::Panel run_panel(const RoundedText& text, const position::RopeCollisions& found) {
  figure::Panel panel;
  const auto first = static_cast<double>(text.positions.first),
             last = static_cast<double>(text.positions.last);
  const auto with_angle = static_cast<double>(text.positions.count() - found.unreachable);
  const std::string rows = ", " + amount(static_cast<double>(found.distinct), "row", "rows");
  if (found.unreachable == 0)
    panel.title = amount(with_angle, "position", "positions") + rows;
  else if (with_angle > 0)
    panel.title = amount(with_angle, "position with an angle", "positions with an angle") + rows;
  else
    panel.title = "No position has an angle";
  panel.x = {.label = "position $m$",
             .range = figure::Range{first - 0.5, last + 0.5},
             .ticks = figure::TickHint::integers};
  panel.y = {
      .label = "share one row", .scale = figure::Scale::log(2), .ticks = figure::TickHint::powers_of_two};
  panel.legend = figure::LegendPlace::none;
  figure::Points shared{.ink = {figure::Role::accent, 0, 1}, .radius = 1.1, .symbol_by_series = false};
  double highest = 2;
  for (const position::PositionRun& run : found.runs) {
    shared.x.push_back(static_cast<double>(run.first));
    shared.y.push_back(static_cast<double>(run.count()));
    highest = std::max(highest, shared.y.back());
  }
  panel.y.range = figure::Range{0.8, 2.5 * highest};
  if (constexpr double few = 12; highest <= few) {  // each count has its own tick
    panel.y.scale = figure::Scale::linear();
    panel.y.ticks = figure::TickHint::integers;
    panel.y.range = figure::Range{0, highest + 0.8};
  }
  // From the start to the first that is shared, every position has its row for itself.
  const double alone = found.runs.empty() ? last - static_cast<double>(found.unreachable)
                                          : static_cast<double>(found.runs.front().first) - 1;
  if (with_angle > 0)
    panel.marks = {figure::Line{.x = {first, std::max(first, alone)},
                                .y = {1, 1},
                                .ink = {figure::Role::accent, 0, 1},
                                .width = 1.5,
                                .dash_by_series = false,
                                .reading = {.name = "a row of their own", .between = true}}};
  if (!found.runs.empty()) {
    const position::PositionRun& run = found.runs.front();
    figure::Annotation words{.x = shared.x.front(), .y = shared.y.front()};
    words.text = grouped(static_cast<double>(run.first)) + (run.count() == 2 ? ", " : " … ") +
                 grouped(static_cast<double>(run.last));
    panel.marks.emplace_back(std::move(shared));
    panel.marks.emplace_back(std::move(words));
  }
  if (found.unreachable > 0) {
    figure::Rule none{.at = last + 0.5 - static_cast<double>(found.unreachable), .to = last + 0.5};
    none.ink = {figure::Role::accent_ground, 0, 1};
    none.text = "no angle at all";
    panel.marks.insert(panel.marks.begin(), none);
  }
  return panel;
}

}  // namespace orrery::study
