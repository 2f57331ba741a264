#include "app/gui/readout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/export/text_runs.h"
#include "app/figure/field.h"
#include "app/figure/line_value.h"
#include "app/figure/mark_facts.h"
#include "app/figure/reading.h"
#include "app/figure/second_axis.h"
#include "app/gui/block_readout.h"
#include "app/gui/number_text.h"

namespace orrery::gui {
namespace {

using figure::Point;

constexpr double reach = 14;           // points: how near a marker must be to be meant
constexpr double same_place = 0.25;    // points: samples that stand as one
constexpr std::size_t most_rows = 12;  // attention heads are many
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

std::string read(double v) {
  return std::isnan(v) ? "no number" : figure::read_text(v);
}

std::string exact(double v) {
  return std::isnan(v) ? "no number" : figure::exact_text(v);
}

std::string cell_value(float v, std::string (*text)(double)) {
  return std::isinf(v) && v < 0 ? "masked" : text(v);
}

/// "2 / 1311, ± 3.4 %"
std::string looked_text(const figure::RowsLooked& looked) {
  const std::string rows = figure::exact_text(looked.rows) + " / " + figure::exact_text(looked.of);
  return looked.rows == looked.of ? rows : rows + ", \u00b1 " + number_text(100 * looked.error, 2) + " %";
}

/// A place on an axis: its name where it has one, every digit of a whole number, six of another.
std::string place(const figure::Axis& axis, double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  if (whole && value >= 0 && value < static_cast<double>(axis.names.size()))
    return axis.names[static_cast<std::size_t>(value)];
  return whole ? figure::exact_text(value) : number_text(value, 6);
}

std::string named(const figure::Axis& axis, const char* letter, double value) {
  return (axis.label.empty() ? std::string(letter) : axis.label) + " " + place(axis, value);
}

bool is_data(const figure::Ink& ink) {
  using enum figure::Role;
  return ink.role == series || ink.role == accent || ink.role == holds || ink.role == fails ||
         ink.role == text;
}

/// From left to right; markers, of which none is on the way to another, with each x once.
bool ordered(const figure::Samples& s, const figure::Trace* trace) {
  const auto back = [&](double a, double b) { return s.scattered ? !(a < b) : !(a <= b); };
  return trace || (s.x.size() > 1 && std::ranges::adjacent_find(s.x, back) == s.x.end());
}

/// A series in the frame it is drawn in.
struct Track {
  figure::Samples samples;
  const figure::Mark* mark;
  std::string name;
  const figure::Trace* trace;
  figure::PanelFrame frame;
  bool scattered = false;  // in no order: only what is near the pointer both ways is meant

  /// Whether it has a value wherever it is drawn, not at its samples alone.
  bool everywhere() const {
    const bool drawn_at_value = samples.value.data() == samples.y.data();
    return !scattered && drawn_at_value && (samples.between || samples.course != figure::Course::straight);
  }
  Point at(std::size_t i) const { return frame.to_page(samples.x[i], samples.y[i]); }
  /// The sample whose x is nearest on the page; nothing beyond the ends of a curve.
  std::optional<std::size_t> nearest(double page) const {
    const std::size_t count = samples.count();
    std::optional<std::size_t> best;
    double distance = std::numeric_limits<double>::infinity();
    const auto consider = [&](std::size_t i) {
      const double d = std::abs(at(i).x - page);
      if (!std::isfinite(samples.value[i]) || !std::isfinite(samples.y[i]) || !(d < distance)) return;
      distance = d;
      best = i;
    };
    if (trace) {
      const double x = frame.to_data({page, frame.plot.y}).first;
      const auto [before, behind] = trace->around(samples.x, x);
      consider(before);
      consider(behind);
    } else {
      for (std::size_t i = 0; i < count; ++i) consider(i);
    }
    const double spacing = frame.plot.w / static_cast<double>(std::max<std::size_t>(count, 1));
    return distance <= std::max(2 * reach, spacing) ? best : std::nullopt;
  }
  /// The sample that is near both ways, and how near.
  std::optional<std::pair<std::size_t, double>> meant(Point p) const {
    std::optional<std::pair<std::size_t, double>> best;
    for (std::size_t i = 0; i < samples.count(); ++i) {
      const Point q = at(i);
      const double d = std::hypot(q.x - p.x, q.y - p.y);
      if (d < (best ? best->second : reach)) best = {i, d};
    }
    return best;
  }
};

bool is_hidden(const ShownPanel& shown, std::size_t mark) {
  return shown.view.hidden.contains({shown.index, static_cast<int>(mark)});
}

std::vector<Track> tracks_of(const ShownPanel& shown) {
  std::vector<Track> tracks;
  const figure::Panel& panel = shown.panel();
  if (!panel.x.visible && panel.x.label.empty()) return tracks;  // a place on it means nothing
  for (std::size_t m = 0; m < panel.marks.size(); ++m) {
    if (is_hidden(shown, m) || figure::facts(panel.marks[m]).read_as != figure::ReadAs::samples) continue;
    const auto samples = figure::samples(panel.marks[m]);
    if (!samples || !(is_data(*samples->ink) || figure::has_own_name(panel.marks[m]))) continue;
    const figure::Trace* trace = shown.digest.marks[m].trace.get();
    tracks.push_back(
        {*samples, &panel.marks[m], figure::name_of(shown.figure, shown.index, static_cast<int>(m)), trace,
         figure::mark_frame(panel, static_cast<int>(m), shown.frame), !ordered(*samples, trace)});
  }
  return tracks;
}

/// Markers on a curve say again what the curve says.
void add_row(ReadoutRow row, Readout& out) {
  const auto says_it = [&](const ReadoutRow& other) {
    return other.label == row.label && other.exact == row.exact && other.x == row.x;
  };
  if (!std::ranges::any_of(out.rows, says_it)) out.rows.push_back(std::move(row));
}

void add_sample(const Track& track, std::size_t i, Readout& out) {
  const figure::Samples& s = track.samples;
  const Point at = track.at(i);
  const bool here = out.crosshair && std::abs(at.x - *out.crosshair) <= same_place;
  add_row({*s.ink, track.name, read(s.value[i]), exact(s.value[i]), here ? std::string() : read(s.x[i]),
           track.frame.plot.contains(at) ? std::optional(at) : std::nullopt},
          out);
}

/// The value at an x of what is known between its samples.
void add_between(const Track& track, double x, Readout& out) {
  const auto* line = std::get_if<figure::Line>(track.mark);
  if (!line) return;
  const double y = figure::value_at(*line, x, track.frame.x_scale, track.frame.y_scale);
  if (!std::isfinite(y)) return;
  const Point at = track.frame.to_page(x, y);
  add_row({*track.samples.ink,
           track.name,
           read(y),
           exact(y),
           {},
           track.frame.plot.contains(at) ? std::optional(at) : std::nullopt},
          out);
}

/// `x` is where in the data the samples are wanted that stand one above the other, and the crosshair where on the page.
void add_track(const Track& track, const Point& p, Readout& out) {
  if (track.scattered) {
    if (const auto i = track.meant(p)) add_sample(track, i->first, out);
  } else if (out.crosshair && track.everywhere()) {
    add_between(track, *out.x, out);
  } else if (out.crosshair) {
    if (const auto i = track.nearest(*out.crosshair)) add_sample(track, *i, out);
  }
}

/// Where to read: the sample of an ordered series that is nearest in x; else a marker that is near; else, where lines have
/// values everywhere, the pointer's own x, as a whole number on an axis of such.
void snap(const ShownPanel& shown, const std::vector<Track>& tracks, Point p, Readout& out) {
  double distance = std::numeric_limits<double>::infinity();
  const auto settle = [&](const Track& track, std::size_t i, double d) {
    if (!(d < distance)) return;
    distance = d;
    out.crosshair = track.at(i).x;
    // Exactly, where it is on the panel's own axis.
    out.x = track.frame.x == shown.frame.x ? track.samples.x[i] : shown.frame.to_data(track.at(i)).first;
  };
  for (const Track& track : tracks)
    if (!track.scattered && !track.everywhere())
      if (const auto i = track.nearest(p.x)) settle(track, *i, std::abs(track.at(*i).x - p.x));
  if (out.crosshair) return;
  const bool lines = std::ranges::any_of(tracks, &Track::everywhere);
  if (!lines) {
    for (const Track& track : tracks)
      if (const auto i = track.scattered ? track.meant(p) : std::nullopt) settle(track, i->first, i->second);
    return;
  }
  double x = shown.frame.to_data(p).first;
  if (shown.panel().x.ticks != figure::TickHint::none && shown.frame.x.length() > 4) x = std::round(x);
  x = std::clamp(x, shown.frame.x.lo, shown.frame.x.hi);
  out.x = x;
  out.crosshair = shown.frame.to_page(x, shown.frame.y.lo).x;
}

void add_bars(const ShownPanel& shown, std::size_t mark, double x, Readout& out) {
  const auto& bars = std::get<figure::Bars>(shown.panel().marks[mark]);
  const auto samples = figure::samples(shown.panel().marks[mark]);
  if (!samples) return;
  for (std::size_t i = 0; i < samples->count(); ++i) {
    if (!(std::abs(bars.x[i] - x) <= bars.width / 2)) continue;
    if (out.title.empty()) out.title = named(shown.panel().x, "x", bars.x[i]);
    if (!out.x) out.x = bars.x[i];
    add_row({bars.ink,
             figure::name_of(shown.figure, shown.index, static_cast<int>(mark)),
             read(samples->value[i]),
             exact(samples->value[i]),
             {},
             {}},
            out);
  }
}

void add_bin(const ShownPanel& shown, std::size_t mark, double x, Readout& out) {
  const auto& h = std::get<figure::Histogram>(shown.panel().marks[mark]);
  for (std::size_t i = 0; i + 1 < h.edges.size() && i < h.heights.size(); ++i) {
    if (!(h.edges[i] <= x && x < h.edges[i + 1])) continue;
    const figure::Axis& axis = shown.panel().x;
    if (out.title.empty()) out.title = named(axis, "x", h.edges[i]) + " – " + place(axis, h.edges[i + 1]);
    if (!out.x) out.x = h.edges[i];
    add_row({h.ink,
             figure::name_of(shown.figure, shown.index, static_cast<int>(mark)),
             read(h.heights[i]),
             exact(h.heights[i]),
             {},
             {}},
            out);
  }
}

figure::Rect box_of(Point a, Point b, const figure::Rect& plot) {
  const double left = std::max(std::min(a.x, b.x), plot.x), top = std::max(std::min(a.y, b.y), plot.y);
  return {left, top, std::min(std::max(a.x, b.x), plot.x + plot.w) - left,
          std::min(std::max(a.y, b.y), plot.y + plot.h) - top};
}

void add_cell(const figure::Mark& mark, const ShownPanel& shown, double x, double y, Point pointer,
              Readout& out) {
  const figure::Field map = *figure::field_of(mark);
  const int cols = map.cols, rows = map.rows;
  if (!map.drawable()) return;
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
    const figure::Grid one = (*map.sampler)({left, left + width}, {low, low + height}, 1, 1);
    if (one.values.empty()) return;
    value = one.values.front();
  }
  const figure::PanelFrame& f = shown.frame;
  const figure::Panel& panel = shown.panel();
  out.title = named(panel.y, "y", low + height / 2) + ", " + named(panel.x, "x", left + width / 2);
  out.x = left + width / 2;
  out.cell = box_of(f.to_page(left, low), f.to_page(left + width, low + height), f.plot);
  const std::string& measured = figure::facts(mark).colors->label;
  const std::string& label = measured.empty() ? panel.title : measured;
  out.rows.push_back(
      {{figure::Role::text, 0, 1}, label, cell_value(value, read), cell_value(value, exact), {}, {}});
  const auto* heat = std::get_if<figure::Heatmap>(&mark);
  const bool phases =
      heat && heat->colors.map == figure::ColorMap::cyclic;  // these have no lowest and no highest
  if (const auto block = heat && !phases ? block_under(map, f, pointer) : std::nullopt) {
    const auto of = [&](auto text) {
      if (block->looked) return text(block->mean) + " (" + looked_text(*block->looked) + ")";
      const auto [least, greatest] = block->bounds ? std::pair("\u2265 ", "\u2264 ") : std::pair("", "");
      return text(block->mean) + " (" + least + text(block->lowest) + " \u2026 " + greatest +
             text(block->highest) + ")";
    };
    out.rows.push_back(
        {{figure::Role::secondary, 0, 1}, label + ", " + heat->averaged, of(read), of(exact), {}, {}});
  }
}

/// What stands over a stretch of x, whatever sample the lines have snapped to.
void add_areas(const ShownPanel& shown, double x, Readout& out) {
  const std::vector<figure::Mark>& marks = shown.panel().marks;
  for (std::size_t m = 0; m < marks.size(); ++m) {
    if (is_hidden(shown, m)) continue;
    switch (figure::facts(marks[m]).read_as) {
      case figure::ReadAs::columns:
        add_bars(shown, m, x, out);
        break;
      case figure::ReadAs::bins:
        add_bin(shown, m, x, out);
        break;
      case figure::ReadAs::cells:
      case figure::ReadAs::samples:
      case figure::ReadAs::nothing:
        break;
    }
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
  snap(shown, tracks, p, out);
  if (out.crosshair) out.title = named(shown.panel().x, "x", *out.x);
  for (const Track& track : tracks) add_track(track, p, out);
  add_areas(shown, x, out);
  const std::vector<figure::Mark>& marks = shown.panel().marks;
  for (std::size_t m = 0; m < marks.size(); ++m)
    if (figure::facts(marks[m]).read_as == figure::ReadAs::cells && !is_hidden(shown, m))
      add_cell(marks[m], shown, x, y, p, out);
  if (out.rows.empty()) return std::nullopt;
  keep_nearest(out, p.y);
  return out;
}

std::optional<Readout> read_at(const ShownPanel& shown, double x) {
  const figure::PanelFrame& frame = shown.frame;
  const Point at = frame.to_page(x, frame.y.lo);
  if (!(at.x >= frame.plot.x && at.x <= frame.plot.x + frame.plot.w)) return std::nullopt;
  Readout out;
  out.x = x;
  out.crosshair = at.x;
  for (const Track& track : tracks_of(shown)) add_track(track, {nowhere, nowhere}, out);
  return out;
}

std::string tab_separated(const Readout& readout) {
  std::string text = "series\tx\tvalue\n";
  const std::string x = readout.x ? exact(*readout.x) : std::string();
  for (const ReadoutRow& row : readout.rows)
    text += exporter::plain_text(row.label) + '\t' + (row.x.empty() ? x : row.x) + '\t' + row.exact + '\n';
  return text;
}

}  // namespace orrery::gui
