#include "app/gui/readout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figure/second_axis.h"
#include "app/gui/number_text.h"

namespace orrery::gui {
namespace {

using figure::Point;

constexpr double reach = 14;           // points: how near a marker must be to be meant
constexpr std::size_t most_rows = 12;  // attention heads are many

std::string named(const std::string& axis, double value) {
  return (axis.empty() ? std::string("x") : axis) + " " + number_text(value, 6);
}

bool is_data(const figure::Ink& ink) {
  using enum figure::Role;
  return ink.role == series || ink.role == accent || ink.role == holds || ink.role == fails ||
         ink.role == text;
}

bool ascending(const std::vector<double>& x) {
  return x.size() > 1 && std::is_sorted(x.begin(), x.end(), [](double a, double b) { return !(a >= b); });
}

/// The sample whose x is nearest on the page; −1 when there is none to see there.
int nearest_sample(const std::vector<double>& x, const std::vector<double>& y,
                   const figure::PanelFrame& frame, Point p) {
  int best = -1;
  double distance = std::numeric_limits<double>::infinity();
  const std::size_t count = std::min(x.size(), y.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double d = std::abs(frame.to_page(x[i], y[i]).x - p.x);
    if (std::isfinite(y[i]) && d < distance) {
      distance = d;
      best = static_cast<int>(i);
    }
  }
  // Beyond the ends of a curve there is nothing to read.
  return distance <= std::max(2 * reach, frame.plot.w / static_cast<double>(std::max<std::size_t>(count, 1)))
             ? best
             : -1;
}

void add_line(const figure::Line& line, const figure::PanelFrame& frame, Point p, Readout& out,
              std::string& title, const std::string& axis) {
  if (!is_data(line.ink) || !ascending(line.x)) return;
  const int i = nearest_sample(line.x, line.y, frame, p);
  if (i < 0) return;
  const double x = line.x[static_cast<std::size_t>(i)], y = line.y[static_cast<std::size_t>(i)];
  const Point at = frame.to_page(x, y);
  if (!out.crosshair) {
    out.crosshair = at.x;
    title = named(axis, x);
  }
  out.rows.push_back(
      {line.ink, line.label, number_text(y, 6), frame.plot.contains(at) ? std::optional(at) : std::nullopt});
}

void add_point(const figure::Points& points, const figure::PanelFrame& frame, Point p, Readout& out) {
  if (!is_data(points.ink)) return;
  double nearest = reach;
  int found = -1;
  for (std::size_t i = 0; i < std::min(points.x.size(), points.y.size()); ++i) {
    const Point at = frame.to_page(points.x[i], points.y[i]);
    const double d = std::hypot(at.x - p.x, at.y - p.y);
    if (d < nearest) {
      nearest = d;
      found = static_cast<int>(i);
    }
  }
  if (found < 0) return;
  const double x = points.x[static_cast<std::size_t>(found)], y = points.y[static_cast<std::size_t>(found)];
  out.rows.push_back({points.ink, points.label,
                      formatted("(%s, %s)", number_text(x, 5).c_str(), number_text(y, 5).c_str()),
                      frame.to_page(x, y)});
}

void add_bar(const figure::Bars& bars, double x, Readout& out) {
  for (std::size_t i = 0; i < std::min(bars.x.size(), bars.height.size()); ++i)
    if (std::abs(bars.x[i] - x) <= bars.width / 2)
      out.rows.push_back({bars.ink, bars.label, number_text(bars.height[i], 6), std::nullopt});
}

void add_bin(const figure::Histogram& h, double x, Readout& out) {
  for (std::size_t i = 0; i + 1 < h.edges.size() && i < h.heights.size(); ++i)
    if (h.edges[i] <= x && x < h.edges[i + 1])
      out.rows.push_back({h.ink, h.label, number_text(h.heights[i], 6), std::nullopt});
}

void add_cell(const figure::Heatmap& map, const figure::Panel& panel, double x, double y, Readout& out,
              std::string& title) {
  const int cols = map.grid ? map.grid->cols : map.full_cols,
            rows = map.grid ? map.grid->rows : map.full_rows;
  if (cols <= 0 || rows <= 0) return;
  const double u = (x - map.x.lo) / map.x.length(), v = (y - map.y.lo) / map.y.length();
  if (!(u >= 0 && u < 1 && v >= 0 && v < 1)) return;
  const double col = std::floor(u * cols), row = std::floor(v * rows);
  const double width = map.x.length() / cols, height = map.y.length() / rows;
  const double left = map.x.lo + col * width, low = map.y.lo + row * height;
  float value = 0;
  if (map.grid) {
    const std::size_t i =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(col);
    if (i >= map.grid->values.size()) return;
    value = map.grid->values[i];
  } else {
    const figure::Grid one = map.sampler({left, left + width}, {low, low + height}, 1, 1);
    if (one.values.empty()) return;
    value = one.values.front();
  }
  title = named(panel.y.label.empty() ? "y" : panel.y.label, low + height / 2) + ", " +
          named(panel.x.label, left + width / 2);
  const std::string text = std::isinf(value) && value < 0 ? "masked" : number_text(value, 6);
  out.rows.push_back({{figure::Role::text, 0, 1}, map.colors.label, text, std::nullopt});
}

}  // namespace

std::optional<Readout> read_out(const figure::Panel& panel, const figure::PanelFrame& frame, int index,
                                const std::set<std::pair<int, int>>& hidden, Point p) {
  if (!frame.plot.contains(p)) return std::nullopt;
  const auto [x, y] = frame.to_data(p);
  Readout out;
  std::string title;
  for (std::size_t m = 0; m < panel.marks.size() && out.rows.size() < most_rows; ++m) {
    if (hidden.contains({index, static_cast<int>(m)})) continue;
    const figure::Mark& mark = panel.marks[m];
    const figure::PanelFrame own = figure::mark_frame(panel, static_cast<int>(m), frame);
    if (const auto* line = std::get_if<figure::Line>(&mark)) {
      if (panel.x.visible) add_line(*line, own, p, out, title, panel.x.label);
    } else if (const auto* points = std::get_if<figure::Points>(&mark)) {
      if (panel.x.visible) add_point(*points, own, p, out);
    } else if (const auto* stems = std::get_if<figure::Stems>(&mark)) {
      const figure::Line tips{.x = stems->x, .y = stems->y, .ink = stems->ink, .label = stems->label};
      if (panel.x.visible) add_line(tips, own, p, out, title, panel.x.label);
    } else if (const auto* histogram = std::get_if<figure::Histogram>(&mark)) {
      add_bin(*histogram, x, out);
    } else if (const auto* bars = std::get_if<figure::Bars>(&mark)) {
      add_bar(*bars, x, out);
    } else if (const auto* map = std::get_if<figure::Heatmap>(&mark)) {
      add_cell(*map, panel, x, y, out, title);
    }
  }
  if (out.rows.empty()) return std::nullopt;
  out.title = title.empty() ? named(panel.x.label, x) : title;
  return out;
}

}  // namespace orrery::gui
