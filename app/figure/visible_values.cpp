#include "app/figure/visible_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "app/figure/field.h"
#include "app/figure/line_value.h"
#include "app/figure/mark_facts.h"
#include "app/figure/reading.h"
#include "core/tensor/error.h"

namespace orrery::figure {

namespace {

constexpr double most_values = 4e6;
constexpr std::size_t most_markers = 100;

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> samples;
};

/// Round places in sight where a line is read of which the corners alone are given: as many of 1, 2 or 5 times a power of
/// ten as a person would step by.
std::vector<double> round_places(const PanelFrame& frame) {
  constexpr double most = 200;
  std::vector<double> places;
  if (frame.x_scale.kind() != Scale::Kind::linear) {
    for (int i = 0; i <= int(most); ++i) places.push_back(frame.x_scale.invert(i / most, frame.x));
    return places;
  }
  const double ten = std::pow(10, std::floor(std::log10(frame.x.length() / most)));
  double step = ten;
  for (const double times : {2, 5, 10})
    if (frame.x.length() / step > most) step = times * ten;
  for (double i = std::ceil(frame.x.lo / step); i <= std::floor(frame.x.hi / step); ++i)
    places.push_back(i * step);
  return places;
}

/// Of the samples in sight that have a value; of a histogram, in the middle of its bins.
std::vector<std::pair<double, double>> in_sight(const Mark& mark, const PanelFrame& frame) {
  const Range x = frame.x;
  std::vector<std::pair<double, double>> out;
  const auto add = [&](double at, double value) {
    if (at >= x.lo && at <= x.hi && std::isfinite(value)) out.emplace_back(at, value);
  };
  const auto* line = std::get_if<Line>(&mark);
  if (const auto s = samples(mark); s && s->between && line && line->reading.value.empty()) {
    for (const double at : round_places(frame)) add(at, value_at(*line, at, frame.x_scale, frame.y_scale));
  } else if (s) {
    for (std::size_t i = 0; i < s->count(); ++i) add(s->x[i], s->value[i]);
  } else if (const auto* h = std::get_if<Histogram>(&mark)) {
    for (std::size_t i = 0; i + 1 < h->edges.size() && i < h->heights.size(); ++i)
      add(h->edges[i] + (h->edges[i + 1] - h->edges[i]) / 2, h->heights[i]);
  }
  return out;
}

/// A cell of a spreadsheet is one line, without tabs.
std::string cell(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

/// Markers on a curve say again what the curve says, or what it says between its samples; true where these do.
bool joined(const std::vector<std::pair<double, double>>& markers,
            std::vector<std::pair<double, double>>& curve) {
  const auto against = [&](const auto& marker) {
    return std::ranges::any_of(curve, [&](const auto& sample) {
      return sample.first == marker.first && sample.second != marker.second;
    });
  };
  if (markers.size() > most_markers || std::ranges::any_of(markers, against)) return false;
  for (const auto& marker : markers)
    if (std::ranges::find(curve, marker) == curve.end()) curve.push_back(marker);
  return true;
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
    text += exact_text(x);
    for (std::size_t i = 0; i < series.size(); ++i) {
      text += '\t';
      const auto& samples = series[i].samples;
      if (next[i] < samples.size() && samples[next[i]].first == x)
        text += exact_text(samples[next[i]++].second);
    }
    text += '\n';
  }
}

struct Cells {
  Range range;  ///< of whole cells
  int count = 0;
  double centre(int i) const { return range.lo + (i + 0.5) / count * range.length(); }
};

Cells cells_in_sight(Range whole, int count, Range shown) {
  const double size = whole.length() / count;
  const double first = std::clamp(std::floor((shown.lo - whole.lo) / size + 1e-9), 0.0, double(count));
  const double last = std::clamp(std::ceil((shown.hi - whole.lo) / size - 1e-9), first, double(count));
  return {{whole.lo + first * size, whole.lo + last * size}, int(last - first)};
}

std::string matrix_of(const Field& field, const PanelFrame& frame) {
  if (!field.drawable()) return {};
  const Cells across = cells_in_sight(field.x, field.cols, frame.x),
              down = cells_in_sight(field.y, field.rows, frame.y);
  if (across.count == 0 || down.count == 0) return {};
  if (double(across.count) * down.count > most_values)
    throw InvalidArgument(about(words("copy the values"))
                              .found(std::to_string(across.count) + "×" + std::to_string(down.count))
                              .fault("found {} by {} cells in sight", across.count, down.count)
                              .allowed("4 million (zoom in, or export the numbers)"));
  const Grid grid = field.sample(across.range, down.range, across.count, down.count);
  if (!whole(grid)) return {};
  std::string text;
  for (int j = 0; j < across.count; ++j) text += '\t' + exact_text(across.centre(j));
  text += '\n';
  for (int i = 0; i < down.count; ++i) {
    text += exact_text(down.centre(i));
    for (int j = 0; j < across.count; ++j)
      text += '\t' + exact_text(grid.values[std::size_t(i) * std::size_t(grid.cols) + std::size_t(j)]);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string visible_values(const Figure& figure, const PanelFrame& frame, int index, const View& view,
                           const std::function<std::string(std::string_view)>& plain) {
  const Panel& panel = figure.panels[std::size_t(index)];
  std::vector<Series> series;
  std::string text;
  for (std::size_t m = 0; m < panel.marks.size(); ++m) {
    if (view.hidden.contains({index, int(m)})) continue;
    const Mark& mark = panel.marks[m];
    if (facts(mark).read_as == ReadAs::cells) {
      text += matrix_of(*field_of(mark), frame);
      continue;
    }
    Series own{cell(plain(name_of(figure, index, int(m)))), in_sight(mark, frame)};
    if (own.samples.empty()) continue;
    if (own.name.empty()) own.name = "series " + std::to_string(series.size() + 1);
    const auto namesake = std::ranges::find(series, own.name, &Series::name);
    if (namesake != series.end() && !has_own_name(mark)) {
      if (joined(own.samples, namesake->samples)) continue;
      own.name += " (" + std::to_string(series.size() + 1) + ")";
    }
    series.push_back(std::move(own));
  }
  if (!series.empty())
    text = table_of(series, panel.x.label.empty() ? "x" : cell(plain(panel.x.label))) +
           (text.empty() ? "" : "\n") + text;
  return text;
}

}  // namespace orrery::figure
