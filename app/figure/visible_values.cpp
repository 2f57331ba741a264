#include "app/figure/visible_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/figure/field.h"
#include "core/tensor/error.h"

namespace orrery::figure {

namespace {

constexpr double most_cells = 4e6;

template <class Number>  // the shortest text that reads back as the same number
std::string exact(Number v) {
  char text[40];
  const auto end = std::to_chars(std::begin(text), std::end(text), v).ptr;
  return {std::begin(text), end};
}

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> samples;
};

/// The samples of a mark, if it has any that are points in the plane.
struct Samples {
  std::vector<std::pair<double, double>> operator()(const Line& m) const { return both(m.x, m.y); }
  std::vector<std::pair<double, double>> operator()(const Points& m) const { return both(m.x, m.y); }
  std::vector<std::pair<double, double>> operator()(const Stems& m) const { return both(m.x, m.y); }
  std::vector<std::pair<double, double>> operator()(const ErrorBars& m) const { return both(m.x, m.y); }
  std::vector<std::pair<double, double>> operator()(const Bars& m) const { return both(m.x, m.height); }
  std::vector<std::pair<double, double>> operator()(const Histogram& m) const {
    std::vector<double> middles;
    for (std::size_t i = 0; i + 1 < m.edges.size(); ++i)
      middles.push_back(m.edges[i] + (m.edges[i + 1] - m.edges[i]) / 2);
    return both(middles, m.heights);
  }
  template <class Other>
  std::vector<std::pair<double, double>> operator()(const Other&) const {
    return {};
  }

  Range x;
  std::vector<std::pair<double, double>> both(const std::vector<double>& xs,
                                              const std::vector<double>& ys) const {
    std::vector<std::pair<double, double>> out;
    for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i)
      if (xs[i] >= x.lo && xs[i] <= x.hi && std::isfinite(ys[i])) out.emplace_back(xs[i], ys[i]);
    return out;
  }
};

/// A cell of a spreadsheet is one line, without tabs.
std::string cell(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string name_of(const Mark& mark, std::size_t place) {
  const std::string label = std::visit(
      [](const auto& m) -> std::string {
        if constexpr (requires { m.label; })
          return m.label;
        else
          return {};
      },
      mark);
  return label.empty() ? "series " + std::to_string(place) : cell(label);
}

/// Row by row of x; a second sample of one series at the same x is in a row of its own.
std::string table_of(std::vector<Series>& series, const std::string& x_label) {
  std::string text = x_label;
  for (Series& s : series) {
    std::ranges::stable_sort(s.samples, {}, &std::pair<double, double>::first);
    text += '\t' + s.name;
  }
  text += '\n';
  std::vector<std::size_t> next(series.size(), 0);
  for (;;) {
    double x = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < series.size(); ++i)
      if (next[i] < series[i].samples.size()) x = std::min(x, series[i].samples[next[i]].first);
    if (!std::isfinite(x)) return text;
    text += exact(x);
    for (std::size_t i = 0; i < series.size(); ++i) {
      text += '\t';
      const auto& samples = series[i].samples;
      if (next[i] < samples.size() && samples[next[i]].first == x) text += exact(samples[next[i]++].second);
    }
    text += '\n';
  }
}

struct Cells {
  Range range;  ///< of whole cells
  int count = 0;
  double centre(int i) const { return range.lo + (i + 0.5) / count * range.length(); }
};

Cells in_sight(Range whole, int count, Range shown) {
  const double size = whole.length() / count;
  const double first = std::clamp(std::floor((shown.lo - whole.lo) / size + 1e-9), 0.0, double(count));
  const double last = std::clamp(std::ceil((shown.hi - whole.lo) / size - 1e-9), first, double(count));
  return {{whole.lo + first * size, whole.lo + last * size}, int(last - first)};
}

std::string matrix_of(const Heatmap& map, const PanelFrame& frame) {
  const Field field = field_of(map);
  if (!field.drawable()) return {};
  const Cells across = in_sight(field.x, field.cols, frame.x), down = in_sight(field.y, field.rows, frame.y);
  if (across.count == 0 || down.count == 0) return {};
  if (double(across.count) * down.count > most_cells)
    throw InvalidArgument("copy the values: found " + std::to_string(across.count) + " by " +
                          std::to_string(down.count) +
                          " cells in sight; allowed: 4 million (zoom in, or export the numbers)");
  const Grid grid = field.sample(across.range, down.range, across.count, down.count);
  if (!whole(grid)) return {};
  std::string text;
  for (int j = 0; j < across.count; ++j) text += '\t' + exact(across.centre(j));
  text += '\n';
  for (int i = 0; i < down.count; ++i) {
    text += exact(down.centre(i));
    for (int j = 0; j < across.count; ++j)
      text += '\t' + exact(grid.values[std::size_t(i) * std::size_t(grid.cols) + std::size_t(j)]);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string visible_values(const Panel& panel, const PanelFrame& frame, int index, const View& view) {
  std::vector<Series> series;
  std::string text;
  for (std::size_t m = 0; m < panel.marks.size(); ++m) {
    if (view.hidden.contains({index, int(m)})) continue;
    const Mark& mark = panel.marks[m];
    if (const auto* map = std::get_if<Heatmap>(&mark)) {
      text += matrix_of(*map, frame);
      continue;
    }
    Series own{name_of(mark, series.size() + 1), std::visit(Samples{frame.x}, mark)};
    if (!own.samples.empty()) series.push_back(std::move(own));
  }
  if (!series.empty())
    text = table_of(series, panel.x.label.empty() ? "x" : cell(panel.x.label)) + (text.empty() ? "" : "\n") +
           text;
  return text;
}

}  // namespace orrery::figure
