#include "app/study/rope/wiring_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "app/study/text.h"

namespace orrery::study {

using position::RopePair;
using tensor::Index;

namespace {

constexpr double lane = 1;  // from baseline to baseline
constexpr double no_line = std::numeric_limits<double>::quiet_NaN();
constexpr figure::Ink accent{figure::Role::accent, 0, 1}, faint_ink{figure::Role::secondary, 0, 1};

/// The first lane stands highest; lanes are whole numbers, so that an axis can name them.
double base_of(std::size_t index, std::size_t lanes) {
  return lane * static_cast<double>(lanes - 1 - index);
}

/// Half an ellipse over two columns; wide ones are higher, so that they do not lie on one another.
void add_arc(figure::Line& line, const RopePair& pair, double y, double up, Index width) {
  const double from = static_cast<double>(pair.a), to = static_cast<double>(pair.b);
  const double height = up * (0.1 + 0.45 * (to - from) / static_cast<double>(width));
  constexpr int steps = 32;
  for (int i = 0; i <= steps; ++i) {
    const double t = std::numbers::pi * i / steps;
    line.x.push_back(0.5 * (from + to) - 0.5 * (to - from) * std::cos(t));
    line.y.push_back(y + height * std::sin(t));
  }
  line.x.push_back(no_line);
  line.y.push_back(no_line);
}

figure::Line stroke(figure::Ink ink, double width, figure::Dash dash) {
  return {.ink = ink, .width = width, .dash = dash, .dash_by_series = false, .reading = {.none = true}};
}

/// Of many pairs only every so-manyth is drawn, the first among them: more would be a black bar.
Index step_between_arcs(Index width) {
  constexpr Index most_arcs = 16;
  return std::max<Index>(1, (width / 2 + most_arcs - 1) / most_arcs);
}

/// The arcs of one side of one lane, up = 1 above the columns or −1 below.
void add_side(figure::Panel& panel, const std::vector<RopePair>& pairs, double y, double up, Index width) {
  figure::Line fast = stroke(accent, 1.2, figure::Dash::solid),
               plain = stroke(faint_ink, 0.7, figure::Dash::solid);
  figure::Line still = stroke({figure::Role::faint, 0, 1}, 0.7, figure::Dash::dotted);
  figure::Line torn = stroke({figure::Role::fails, 0, 1}, 0.8, figure::Dash::dashed);
  for (std::size_t i = 0; i < pairs.size(); i += static_cast<std::size_t>(step_between_arcs(width))) {
    const RopePair& pair = pairs[i];
    const bool first = i == 0;
    figure::Line& line = pair.frequency_a != pair.frequency_b ? torn
                         : pair.frequency_a == 0              ? still
                         : first                              ? fast
                                                              : plain;
    add_arc(line, pair, y, up, width);
  }
  for (figure::Line* line : {&plain, &still, &torn, &fast})
    if (!line->x.empty()) panel.marks.emplace_back(std::move(*line));
}

/// With which column each turns, where the pairs say it: what a read-out tells of the arcs.
std::vector<double> partners(const std::vector<RopePair>& pairs, Index width) {
  std::vector<double> partner(static_cast<std::size_t>(width), no_line);
  for (const RopePair& pair : pairs) {
    partner[static_cast<std::size_t>(pair.a)] = static_cast<double>(pair.b);
    partner[static_cast<std::size_t>(pair.b)] = static_cast<double>(pair.a);
  }
  return partner;
}

bool same_sides(const WiredLane& each) {
  return each.wiring.query == each.wiring.key;
}

/// Columns by the numbers they have in the weights: of the fastest pair, or of all where there is room.
void add_numbers(figure::Panel& panel, const WiredLane& each, double y, Index width, bool all) {
  const auto weight_column = [&](Index j) {
    return each.wiring.order.empty() ? j : each.wiring.order[static_cast<std::size_t>(j)];
  };
  // Of neighbours in a wide row the numbers would stand on one another: the first says where they are.
  const Index apart =
      each.wiring.query.empty() ? width : each.wiring.query.front().b - each.wiring.query.front().a;
  const bool one_number = 24 * apart < width;
  for (Index j = 0; j < width; ++j) {
    if (one_number && !all && j == each.wiring.query.front().b) continue;
    const bool fastest =
        !each.wiring.query.empty() && (j == each.wiring.query.front().a || j == each.wiring.query.front().b);
    if (!all && !fastest) continue;
    figure::Note note{.x = static_cast<double>(j), .y = y, .text = std::to_string(weight_column(j))};
    note.ink = fastest ? accent : faint_ink;
    note.v = figure::VAlign::top;
    note.dy = 2.5;
    note.size = 0.75;
    note.room_y = 0.5 * lane;  // above the arcs of the next lane
    note.numbers = true;
    // Two of neighbours step aside: 0 and 1, not 01.
    if (!all && apart == 1)
      note.h = j == each.wiring.query.front().a ? figure::HAlign::right : figure::HAlign::left;
    if (note.h != figure::HAlign::center) note.dx = note.h == figure::HAlign::right ? 1 : -1;
    panel.marks.emplace_back(std::move(note));
  }
}

/// An axis that says a text for each lane, and no numbers.
figure::Axis lane_axis(const std::vector<WiredLane>& lanes, std::string (*text)(const WiredLane&)) {
  figure::Axis axis{.range = figure::Range{-0.55 * lane, (static_cast<double>(lanes.size()) - 0.4) * lane}};
  axis.ticks = figure::TickHint::integers;
  axis.names.resize(lanes.size());
  for (std::size_t k = 0; k < lanes.size(); ++k) axis.names[lanes.size() - 1 - k] = text(lanes[k]);
  return axis;
}

std::string name_of(const WiredLane& each) {
  return each.name;
}

std::string verdict_of(const WiredLane& each) {
  if (!each.compared) return "not known";
  return (each.relative ? "relative, " : "not relative, ") + scientific_text(each.spread);
}

}  // namespace

figure::Panel wiring_panel(const std::vector<WiredLane>& lanes, Index width) {
  figure::Panel panel;
  const bool several = lanes.size() > 1;
  panel.title = several ? "Columns that meet" : "Which columns meet: " + lanes.front().name;
  if (const Index step = step_between_arcs(width); step > 1)
    panel.title += "; one pair in " + std::to_string(step) + " is drawn";
  panel.legend = figure::LegendPlace::none;
  // Its name is for read-outs: "partner of column 5".
  panel.x = {
      .label = "partner of column", .range = figure::Range{-1, static_cast<double>(width)}, .visible = false};
  panel.y = lane_axis(lanes, name_of);
  panel.y.visible = several;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const WiredLane& each = lanes[k];
    const double y = base_of(k, lanes.size());
    figure::Points columns{.ink = faint_ink, .radius = width > 64 ? 0.7 : 1.2, .symbol_by_series = false};
    for (Index j = 0; j < width; ++j) {
      columns.x.push_back(static_cast<double>(j));
      columns.y.push_back(y);
    }
    columns.reading = {.name = each.name, .value = partners(each.wiring.query, width)};
    if (!same_sides(each)) {
      figure::Points of_keys = columns;
      of_keys.reading = {.name = each.name + ", of keys", .value = partners(each.wiring.key, width)};
      panel.marks.emplace_back(std::move(of_keys));
    }
    panel.marks.emplace_back(std::move(columns));
    add_side(panel, each.wiring.query, y, 1, width);
    if (!same_sides(each)) add_side(panel, each.wiring.key, y, -0.55, width);
  }
  for (std::size_t k = 0; k < lanes.size();
       ++k)  // over all arcs: those of the lane below may reach up to them
    if (same_sides(lanes[k]))
      add_numbers(panel, lanes[k], base_of(k, lanes.size()), width, !several && width <= 32);
  return panel;
}

figure::Panel lanes_panel(const std::vector<WiredLane>& lanes, const std::vector<double>& distances,
                          const std::vector<double>& key_positions) {
  const bool several = lanes.size() > 1;
  figure::Panel panel;
  panel.title = several ? "Score by distance, and its spread"
                : !lanes.front().compared
                    ? "Score by distance"
                    : std::string("Score by distance: ") + (lanes.front().relative ? "" : "not ") +
                          "relative, spread " + scientific_text(lanes.front().spread);
  panel.legend = figure::LegendPlace::above;
  panel.x = {.label = several ? "distance" : "distance $m - n$", .ticks = figure::TickHint::integers};
  if (several) {
    panel.y = lane_axis(lanes, name_of);
    panel.y.visible = false;
    panel.right = figure::SecondAxis{.axis = lane_axis(lanes, verdict_of), .map = [](double y) { return y; }};
  } else {
    panel.y = {.label = "score / $|q||k|$", .grid = true};
  }
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const WiredLane& each = lanes[k];
    const double largest = std::max(each.scores.cwiseAbs().maxCoeff(), 1e-300);
    for (Index row = 0; row < each.scores.rows(); ++row) {
      const auto place = key_positions.begin() + row;
      if (std::find(key_positions.begin(), place, *place) != place) continue;  // drawn already
      figure::Line line{.x = distances, .ink = figure::series(static_cast<int>(row)), .width = 0.8};
      for (Index col = 0; col < each.scores.cols(); ++col) {
        const double score = each.scores(row, col);
        line.y.push_back(several ? base_of(k, lanes.size()) + 0.42 * lane * score / largest : score);
        if (several) line.reading.value.push_back(score);
      }
      const std::string key = "$n$ = " + grouped(*place);
      if (k == 0) line.label = key;
      if (several) line.reading.name = each.name + ", " + key;
      panel.marks.emplace_back(std::move(line));
    }
  }
  return panel;
}

}  // namespace orrery::study
