#include "app/gui/readout.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/figure/second_axis.h"
#include "app/gui/number_text.h"

namespace orrery::gui {
namespace {

using figure::Point;

constexpr double reach = 14;           // points: how near a marker must be to be meant
constexpr double same_place = 0.25;    // points: samples that stand as one
constexpr std::size_t most_rows = 12;  // attention heads are many

std::string exact(double v) {
  return std::isnan(v) ? "no number" : parameter::shortest(v);
}

/// A cell holds a float: more digits would be noise.
std::string exact_cell(float v) {
  if (std::isinf(v) && v < 0) return "masked";
  if (!std::isfinite(v)) return std::isnan(v) ? "no number" : "inf";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, v).ptr};
}

std::string named(const std::string& axis, double value) {
  return (axis.empty() ? std::string("x") : axis) + " " + number_text(value, 6);
}

bool is_data(const figure::Ink& ink) {
  using enum figure::Role;
  return ink.role == series || ink.role == accent || ink.role == holds || ink.role == fails ||
         ink.role == text;
}

/// The samples of a mark.
struct Series {
  std::span<const double> x, y;
  const figure::Ink* ink = nullptr;
  const std::string* label = nullptr;
  bool scattered = false;  ///< in no order: only what is near the pointer both ways is meant

  std::size_t count() const { return std::min(x.size(), y.size()); }
};

bool ordered(std::span<const double> x, const figure::Trace* trace) {
  return trace ||
         (x.size() > 1 && std::is_sorted(x.begin(), x.end(), [](double a, double b) { return !(a >= b); }));
}

std::optional<Series> series_of(const figure::Mark& mark, const figure::MarkDigest& digest) {
  const auto of = [&](const auto& m, const std::vector<double>& y, bool scattered) {
    return is_data(m.ink) ? std::optional(Series{m.x, y, &m.ink, &m.label, scattered}) : std::nullopt;
  };
  if (const auto* line = std::get_if<figure::Line>(&mark))
    return of(*line, line->y, !ordered(line->x, digest.trace.get()));
  if (const auto* points = std::get_if<figure::Points>(&mark)) return of(*points, points->y, true);
  if (const auto* stems = std::get_if<figure::Stems>(&mark))
    return of(*stems, stems->y, !ordered(stems->x, nullptr));
  if (const auto* bars = std::get_if<figure::ErrorBars>(&mark))
    return of(*bars, bars->y, !ordered(bars->x, nullptr));
  return std::nullopt;
}

/// A series in the frame it is drawn in.
struct Track {
  Series series;
  const figure::Trace* trace;
  figure::PanelFrame frame;

  Point at(std::size_t i) const { return frame.to_page(series.x[i], series.y[i]); }
  /// The sample whose x is nearest on the page; nothing beyond the ends of a curve.
  std::optional<std::size_t> nearest(double page) const {
    const std::size_t count = series.count();
    std::optional<std::size_t> best;
    double distance = std::numeric_limits<double>::infinity();
    const auto consider = [&](std::size_t i) {
      const double d = std::abs(at(i).x - page);
      if (!std::isfinite(series.y[i]) || !(d < distance)) return;
      distance = d;
      best = i;
    };
    if (trace) {
      const double x = frame.to_data({page, frame.plot.y}).first;
      const auto [before, behind] = trace->around(series.x, x);
      consider(before);
      consider(behind);
    } else {
      for (std::size_t i = 0; i < count; ++i) consider(i);
    }
    const double spacing = frame.plot.w / static_cast<double>(std::max<std::size_t>(count, 1));
    return distance <= std::max(2 * reach, spacing) ? best : std::nullopt;
  }
  /// The sample that is near both ways.
  std::optional<std::size_t> meant(Point p) const {
    std::optional<std::size_t> best;
    double distance = reach;
    for (std::size_t i = 0; i < series.count(); ++i) {
      const Point q = at(i);
      const double d = std::hypot(q.x - p.x, q.y - p.y);
      if (!(d < distance)) continue;
      distance = d;
      best = i;
    }
    return best;
  }
};

std::vector<Track> tracks_of(const ShownPanel& shown) {
  std::vector<Track> tracks;
  if (!shown.panel.x.visible) return tracks;
  for (std::size_t m = 0; m < shown.panel.marks.size(); ++m) {
    if (shown.view.hidden.contains({shown.index, static_cast<int>(m)})) continue;
    const figure::MarkDigest& digest = shown.digest.marks[m];
    if (const auto series = series_of(shown.panel.marks[m], digest))
      tracks.push_back(
          {*series, digest.trace.get(), figure::mark_frame(shown.panel, static_cast<int>(m), shown.frame)});
  }
  return tracks;
}

/// `page` is where on the page the samples are wanted that stand one above the other.
void add_track(const Track& track, const Point& p, std::optional<double> page, Readout& out) {
  const Series& s = track.series;
  if (s.scattered) {
    const auto i = track.meant(p);
    if (i)
      out.rows.push_back(
          {*s.ink, *s.label, "(" + exact(s.x[*i]) + ", " + exact(s.y[*i]) + ")", {}, track.at(*i)});
    return;
  }
  if (!page) return;
  const auto i = track.nearest(*page);
  if (!i) return;
  const Point at = track.at(*i);
  const bool here = std::abs(at.x - *page) <= same_place;
  out.rows.push_back({*s.ink, *s.label, exact(s.y[*i]), here ? std::string() : exact(s.x[*i]),
                      track.frame.plot.contains(at) ? std::optional(at) : std::nullopt});
}

void add_bars(const figure::Bars& bars, double x, Readout& out) {
  for (std::size_t i = 0; i < std::min(bars.x.size(), bars.height.size()); ++i)
    if (std::abs(bars.x[i] - x) <= bars.width / 2)
      out.rows.push_back({bars.ink, bars.label, exact(bars.height[i]), {}, {}});
}

void add_bin(const figure::Histogram& h, double x, Readout& out) {
  for (std::size_t i = 0; i + 1 < h.edges.size() && i < h.heights.size(); ++i)
    if (h.edges[i] <= x && x < h.edges[i + 1])
      out.rows.push_back({h.ink, h.label, exact(h.heights[i]), {}, {}});
}

figure::Rect box_of(Point a, Point b, const figure::Rect& plot) {
  const double left = std::max(std::min(a.x, b.x), plot.x), top = std::max(std::min(a.y, b.y), plot.y);
  return {left, top, std::min(std::max(a.x, b.x), plot.x + plot.w) - left,
          std::min(std::max(a.y, b.y), plot.y + plot.h) - top};
}

void add_cell(const figure::Heatmap& map, const ShownPanel& shown, double x, double y, Readout& out) {
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
  const figure::PanelFrame& f = shown.frame;
  const std::string& y_label = shown.panel.y.label;
  out.title = named(y_label.empty() ? "y" : y_label, low + height / 2) + ", " +
              named(shown.panel.x.label, left + width / 2);
  out.x = left + width / 2;
  out.cell = box_of(f.to_page(left, low), f.to_page(left + width, low + height), f.plot);
  out.rows.push_back({{figure::Role::text, 0, 1}, map.colors.label, exact_cell(value), {}, {}});
}

/// What stands over a stretch of x, whatever sample the lines have snapped to.
void add_areas(const ShownPanel& shown, double x, Readout& out) {
  for (std::size_t m = 0; m < shown.panel.marks.size(); ++m) {
    if (shown.view.hidden.contains({shown.index, static_cast<int>(m)})) continue;
    if (const auto* bars = std::get_if<figure::Bars>(&shown.panel.marks[m])) add_bars(*bars, x, out);
    if (const auto* h = std::get_if<figure::Histogram>(&shown.panel.marks[m])) add_bin(*h, x, out);
  }
}

/// Of many, those nearest to the pointer, in the order of the figure.
void keep_nearest(Readout& out, double y) {
  if (out.rows.size() <= most_rows) return;
  std::vector<std::size_t> order(out.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto distance = [&](std::size_t i) {
    return out.rows[i].at ? std::abs(out.rows[i].at->y - y) : std::numeric_limits<double>::infinity();
  };
  std::ranges::stable_sort(order, {}, distance);
  out.more = static_cast<int>(order.size() - most_rows);
  order.resize(most_rows);
  std::ranges::sort(order);
  std::vector<ReadoutRow> kept;
  for (const std::size_t i : order) kept.push_back(std::move(out.rows[i]));
  out.rows = std::move(kept);
}

}  // namespace

std::optional<Readout> read_out(const ShownPanel& shown, Point p) {
  const figure::PanelFrame& frame = shown.frame;
  if (!frame.plot.contains(p)) return std::nullopt;
  const auto [x, y] = frame.to_data(p);
  const std::vector<Track> tracks = tracks_of(shown);
  Readout out;
  std::optional<Point> snapped;
  double distance = std::numeric_limits<double>::infinity();
  for (const Track& track : tracks) {
    if (track.series.scattered) continue;
    const auto i = track.nearest(p.x);
    if (!i || !(std::abs(track.at(*i).x - p.x) < distance)) continue;
    snapped = track.at(*i);
    distance = std::abs(snapped->x - p.x);
    // Exactly, where it is on the panel's own axis.
    out.x = track.frame.x == frame.x ? track.series.x[*i] : frame.to_data(*snapped).first;
  }
  if (snapped) {
    out.crosshair = snapped->x;
    out.title = named(shown.panel.x.label, *out.x);
  }
  for (const Track& track : tracks) add_track(track, p, out.crosshair, out);
  add_areas(shown, x, out);
  for (std::size_t m = 0; m < shown.panel.marks.size(); ++m)
    if (const auto* map = std::get_if<figure::Heatmap>(&shown.panel.marks[m]);
        map && !shown.view.hidden.contains({shown.index, static_cast<int>(m)}))
      add_cell(*map, shown, x, y, out);
  if (out.rows.empty()) return std::nullopt;
  if (out.title.empty()) out.title = named(shown.panel.x.label, x);
  keep_nearest(out, p.y);
  return out;
}

std::optional<Readout> read_at(const ShownPanel& shown, double x) {
  const figure::PanelFrame& frame = shown.frame;
  const Point at = frame.to_page(x, frame.y.lo);
  if (!(at.x >= frame.plot.x && at.x <= frame.plot.x + frame.plot.w)) return std::nullopt;
  constexpr Point nowhere{-1e9, -1e9};
  Readout out;
  out.x = x;
  out.crosshair = at.x;
  for (const Track& track : tracks_of(shown)) add_track(track, nowhere, out.crosshair, out);
  return out;
}

std::string tab_separated(const Readout& readout) {
  std::string text = "series\tx\tvalue\n";
  const std::string x = readout.x ? exact(*readout.x) : std::string();
  for (const ReadoutRow& row : readout.rows)
    text += row.label + '\t' + (row.x.empty() ? x : row.x) + '\t' + row.value + '\n';
  return text;
}

}  // namespace orrery::gui
