#include "app/study/numerics/twin_picture.h"

#include <map>
namespace orrery::study {
namespace {

constexpr int bins_a_decade = 8;

bool is_off(const Element& e) {
  return e.use > 0 && std::isfinite(e.use) && std::isfinite(e.bound);
}

/// Sorts them.
double median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

Series by_bound(const TwinUse& use) {
  std::map<int, std::vector<const Element*>> bins;
  for (const Element& e : use.elements)
    if (is_off(e)) bins[static_cast<int>(std::floor(std::log10(e.bound) * bins_a_decade))].push_back(&e);
  Column bound{.name = "bound", .digits = 4}, lowest{.name = "least error", .digits = 4},
      middle{.name = "median error", .digits = 4}, highest{.name = "largest error", .digits = 4},
      count{.name = "elements"};
  for (const auto& [bin, elements] : bins) {
    std::vector<double> errors, bounds;
    for (const Element* e : elements) {
      errors.push_back(e->use * e->bound);
      bounds.push_back(e->bound);
    }
    const auto [least, most] = std::ranges::minmax(errors);
    bound.values.push_back(median(bounds));
    lowest.values.push_back(least);
    highest.values.push_back(most);
    middle.values.push_back(median(errors));
    count.values.push_back(number(elements.size()));
  }
  const std::vector<double> allowed = bound.values;
  Series series("error_by_bound", std::move(bound));
  series.add(std::move(lowest)).add(std::move(middle)).add(std::move(highest)).add(std::move(count));
  series.add({.name = "error allowed", .values = allowed, .digits = 4});
  return series;
}

/// A row of which no element is off stands at the end, with a share of 0, which no log axis shows.
Series by_row(const TwinUse& use) {
  struct Row {
    double index, largest, middle, unbounded;
  };
  std::vector<Row> rows;
  for (Index i = 0; i < use.rows; ++i) {
    std::vector<double> shares;
    double unbounded = 0;  // no axis has a place for them: they are counted
    for (Index j = 0; j < use.cols; ++j) {
      const Element& e = use.elements[static_cast<std::size_t>(i * use.cols + j)];
      if (is_off(e)) shares.push_back(e.use);
      unbounded += std::isinf(e.use);
    }
    if (shares.empty())
      rows.push_back({number(i), 0, 0, unbounded});
    else
      rows.push_back({number(i), std::ranges::max(shares), median(shares), unbounded});
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &Row::largest);
  Series series("rows", {"rank", "", counted(std::ssize(rows))});
  const auto column = [&](auto member) {
    std::vector<double> values;
    for (const Row& row : rows) values.push_back(row.*member);
    return values;
  };
  series.add("row", column(&Row::index));
  series.add({.name = "largest share", .values = column(&Row::largest), .digits = 4});
  series.add({.name = "median share", .values = column(&Row::middle), .digits = 4});
  series.add("off without bound", column(&Row::unbounded));
  return series;
}

Axis decades(std::string label, Range range) {
  Axis axis = values(std::move(label), range);
  axis.scale = Scale::log(10);
  return axis;
}

/// As much room on both sides of what a log axis shows.
Range widened(double least, double most) {
  return {least / 2, most * 2};
}

}  // namespace

TwinSeries twin_series(const TwinUse& use) {
  TwinSeries made{.by_bound = by_bound(use), .rows = by_row(use), .by_share = {}};
  std::vector<double> shares;
  for (const Element& e : use.elements)
    if (is_off(e)) shares.push_back(e.use);
  if (!shares.empty()) {
    const auto [least, most] = std::ranges::minmax(shares);
    made.least = std::min(least, 1.0);
    made.most = std::max(most, 1.0);
  }
  // Whole bins from below the least to above the most.
  const double from = std::floor(std::log10(made.least) * bins_a_decade),
               to = std::floor(std::log10(made.most) * bins_a_decade) + 1;
  for (double edge = from; edge <= to; ++edge)
    made.by_share.edges.push_back(std::pow(10, edge / bins_a_decade));
  made.by_share.heights.assign(made.by_share.edges.size() - 1, 0);
  for (const double share : shares) {
    const auto above = std::ranges::upper_bound(made.by_share.edges, share) - made.by_share.edges.begin();
    ++made.by_share.heights[static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above - 1, 0, std::ssize(made.by_share.heights) - 1))];
  }
  made.by_share.reading.name = "elements";
  return made;
}

Panel error_panel(const std::string& op, const TwinUse& use, const TwinSeries& found) {
  const Series& s = found.by_bound;
  Panel panel{.title = op + ": error against bound", .legend = LegendPlace::best};
  double least = 1e-9, most = 1e-6, lowest = 1e-12;
  if (s.size() > 0) {
    least = s.x().front();
    most = s.x().back();
    lowest = std::ranges::min(s["least error"]);
  }
  const Range bounds = widened(least, most);
  panel.x = decades("bound", bounds);
  panel.y =
      decades("|error|",
              {lowest / 2, 2 * std::max(bounds.hi, s.size() > 0 ? std::ranges::max(s["largest error"]) : 0)});
  panel.marks.push_back(s.line(
      "error allowed",
      {.ink = ink(Role::accent), .dash = Dash::dashed, .label = "the bound", .dash_by_series = false}));
  panel.marks.push_back(s.band("least error", "largest error", {.ink = series(0)}));
  panel.marks.push_back(s.points("largest error", {.ink = series(0), .radius = 1.6, .label = "largest"}));
  panel.marks.push_back(s.points(
      "median error", {.ink = series(1), .radius = 1.6, .symbol = Symbol::square, .label = "median"}));
  if (use.equal > 0)
    panel.marks.push_back(Inset{.text = rounded_text(100 * use.equal, 3) + " % equal: no point",
                                .ink = ink(Role::secondary),
                                .frame = false});
  return panel;
}

Panel shares_panel(const std::string& op, const TwinUse& use, const TwinSeries& found) {
  const std::vector<double>& edges = found.by_share.edges;
  Axis elements = values("elements");
  elements.ticks = figure::TickHint::integers;
  if (std::ranges::max(found.by_share.heights) == 0) elements.range = Range{0, 1};
  return {
      .title = op + ": elements by share",
      .x = decades("|error| / bound", {edges.front(), std::max(3.0, edges.back())}),
      .y = std::move(elements),
      .marks = {found.by_share, Rule{.at = 1, .text = "the limit"},
                Inset{.text = rounded_text(100 * use.equal, 3) + " % equal the reference", .frame = false}}};
}

Panel rows_panel(const std::string& op, const TwinSeries& found) {
  const Series& s = found.rows;
  double least = 1;
  for (const double share : s["median share"])
    if (share > 0) least = std::min(least, share);
  Panel panel{.title = op + ": rows, the worst first",
              .x = counts("rank of the row", cells(number(s.size()))),
              .y = decades("|error| / bound", {least / 3, 3 * found.most}),
              .marks = {level(1)},  // the limit
              .legend = LegendPlace::above};
  panel.marks.push_back(s.line(
      "largest share", {.ink = series(0), .label = "largest of the row", .course = Course::step_middle}));
  panel.marks.push_back(
      s.points("median share",
               {.ink = series(1), .radius = 1.2, .symbol = Symbol::square, .label = "median of those off"}));
  if (s.size() == 1)  // one step has no length
    panel.marks.push_back(s.points("largest share", {.ink = series(0)}));
  return panel;
}

}  // namespace orrery::study
