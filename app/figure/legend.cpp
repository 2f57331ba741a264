#include "app/figure/legend.h"

#include <algorithm>

#include "app/figure/axis_guide.h"
#include "app/figure/free_place.h"
#include "app/figure/legend_sample.h"
#include "app/figure/path.h"
#include "app/figure/reading.h"
#include "app/figure/text_box.h"

namespace orrery::figure {

namespace {

// Distances in text sizes.
constexpr double line_sample = 2, marker_sample = 0.9, sample_gap = 0.5, entry_gap = 1.6, legend_inset = 0.6,
                 row_factor = 1.15;
constexpr double strike = 0.42;  // from the middle of a line of words to its edge

TextStyle legend_style(const Theme& theme, double size = 1) {
  return {Voice::words, size * theme.text_size, false};
}

/// Measured anew: letters made for small sizes are wider than their share.
void make_smaller(std::vector<LegendEntry>& entries, double size, const Theme& theme,
                  const TextMetrics& metrics) {
  for (LegendEntry& e : entries) {
    e.sample = std::min(e.sample, marker_sample);
    e.size = std::min(e.size, stepped_size(size * theme.text_size) / theme.text_size);
    e.width = metrics.measure(e.text, legend_style(theme, e.size)).width;
  }
}

/// For rows of that width: all with shorter samples, and then in smaller words, where one is too wide. One that is too wide
/// even so is left out, and the others stay as they are.
std::vector<LegendEntry> narrowed(std::vector<LegendEntry> entries, double width, const Theme& theme,
                                  const TextMetrics& metrics) {
  constexpr double least_size = 0.7;               // times the theme's
  constexpr double step = 0.125;                   // points
  const auto fitted = [&](const LegendEntry& e) {  // its words beside a short sample
    const double room = width - (std::min(e.sample, marker_sample) + sample_gap) * theme.text_size;
    return fit(e.text, legend_style(theme), room, metrics);
  };
  const auto is_narrow = [&](const LegendEntry& e) { return legend_entry_width(e, theme) <= width; };
  if (std::ranges::all_of(entries, is_narrow)) return entries;
  std::erase_if(entries, [&](const LegendEntry& e) { return fitted(e).text.empty(); });
  if (std::ranges::all_of(entries, is_narrow)) return entries;
  double size = 1;
  for (const LegendEntry& e : entries) size = std::min(size, fitted(e).style.size / theme.text_size);
  make_smaller(entries, size, theme, metrics);
  // What fitted at its own size may not at the least of all: of some typefaces a smaller size is the wider one.
  while (size > least_size && !std::ranges::all_of(entries, is_narrow)) {
    size = std::max(least_size, size - step / theme.text_size);
    make_smaller(entries, size, theme, metrics);
  }
  std::erase_if(entries, [&](const LegendEntry& e) { return !is_narrow(e); });
  return entries;
}

/// Entries in rows of a given width, and where each begins.
struct Flow {
  struct Placed {
    LegendEntry entry;
    Point at;
  };
  std::vector<Placed> placed;
  double height = 0;
};

Flow flow(const std::vector<LegendEntry>& entries, double width, double row, const Theme& theme,
          const TextMetrics& metrics) {
  Flow out;
  Point at{0, 0};
  for (const LegendEntry& e : narrowed(entries, width, theme, metrics)) {
    const double w = legend_entry_width(e, theme);
    if (at.x > 0 && at.x + w > width + 1e-9) at = {0, at.y + row};
    out.placed.push_back({e, at});
    out.height = at.y + row;
    at.x += w + entry_gap * theme.text_size;
  }
  return out;
}

/// Where the entries of a legend stand one below the other.
struct Column {
  Rect box;
  double row = 0;     ///< height of one entry
  double sample = 0;  ///< where the words begin

  /// How many words a grid line strikes through: it passes near the middle of their row.
  int struck(const std::vector<Rect>& grid, double em) const {
    int count = 0;
    for (const Rect& line : grid) {
      const double text = box.x + (sample + sample_gap) * em;
      if (line.x > box.x + box.w || line.x + line.w < text) continue;
      for (double y = box.y + row / 2; y < box.y + box.h; y += row)
        count += line.y - strike * em < y && y < line.y + line.h + strike * em;
    }
    return count;
  }
};

}  // namespace

double legend_row_height(const Theme& theme, const TextMetrics& metrics) {
  return row_factor * line_height("Ag", legend_style(theme), metrics);
}

double legend_words_at(const LegendEntry& e, const Theme& theme) {
  return (e.sample + sample_gap) * theme.text_size;
}

double legend_entry_width(const LegendEntry& e, const Theme& theme) {
  return legend_words_at(e, theme) + e.width;
}

void draw_legend_entry(const Legend& legend, const LegendEntry& e, Point at, double height, Scene& scene) {
  const Theme& theme = legend.theme;
  draw_sample(legend.panel.marks[std::size_t(e.mark)], {at.x, at.y, e.sample * theme.text_size, height},
              theme, e.hidden, scene);
  scene.primitives.emplace_back(Label{{at.x + legend_words_at(e, theme), at.y + height / 2},
                                      e.text,
                                      legend_style(theme, e.size),
                                      e.hidden ? theme.faint : quiet_words(theme),
                                      HAlign::left,
                                      VAlign::middle,
                                      true});
  scene.legend.push_back({legend.panel_index, e.mark, {at.x, at.y, legend_entry_width(e, theme), height}});
}

std::vector<LegendEntry> legend_entries(const Panel& panel, int panel_index, const View& view,
                                        const Theme& theme, const TextMetrics& metrics) {
  std::vector<LegendEntry> entries;
  for (int i = 0; i < int(panel.marks.size()); ++i) {
    const std::string* label = label_of(panel.marks[std::size_t(i)]);
    if (!label || label->empty()) continue;
    entries.push_back({i, *label, line_sample, metrics.measure(*label, legend_style(theme)).width,
                       view.hidden.contains({panel_index, i})});
  }
  const bool markers_only = std::all_of(entries.begin(), entries.end(), [&](const LegendEntry& e) {
    return std::holds_alternative<Points>(panel.marks[std::size_t(e.mark)]);
  });
  if (markers_only)
    for (LegendEntry& e : entries) e.sample = marker_sample;
  return entries;
}

std::vector<LegendEntry> tightened(std::vector<LegendEntry> entries, const Theme& theme,
                                   const TextMetrics& metrics) {
  make_smaller(entries, 0.75, theme, metrics);
  return entries;
}

double legend_above_height(const std::vector<LegendEntry>& entries, double width, const Theme& theme,
                           const TextMetrics& metrics) {
  const double rows = flow(entries, width, legend_row_height(theme, metrics), theme, metrics).height;
  return rows > 0 ? rows + legend_inset * theme.text_size : 0;
}

void draw_legend_above(const Legend& legend, const Rect& strip, Scene& scene) {
  const double row = legend_row_height(legend.theme, legend.metrics);
  for (const auto& [entry, at] : flow(legend.entries, strip.w, row, legend.theme, legend.metrics).placed)
    draw_legend_entry(legend, entry, {strip.x + at.x, strip.y + at.y}, row, scene);
}

double legend_beside_width(const std::vector<LegendEntry>& entries, const Theme& theme) {
  double width = 0;
  for (const LegendEntry& e : entries) width = std::max(width, legend_entry_width(e, theme));
  return width > 0 ? width + entry_gap * theme.text_size : 0;
}

void draw_legend_beside(const Legend& legend, const Rect& strip, Scene& scene) {
  const double row = legend_row_height(legend.theme, legend.metrics),
               x = strip.x + entry_gap * legend.theme.text_size;
  for (std::size_t i = 0; i < legend.entries.size() && row * double(i + 1) <= strip.h; ++i)
    draw_legend_entry(legend, legend.entries[i], {x, strip.y + row * double(i)}, row, scene);
}

bool draw_legend_inside(const Legend& legend, const LegendRoom& room, Scene& scene) {
  const std::vector<LegendEntry>& entries = legend.entries;
  const double em = legend.theme.text_size, row = legend_row_height(legend.theme, legend.metrics);
  double width = 0;
  for (const LegendEntry& e : entries) width = std::max(width, legend_entry_width(e, legend.theme));
  const double height = row * double(entries.size());
  const auto found = find_place(width, height, room.plot, room.place, {scene, room.first, em, legend.metrics},
                                [&](const Rect& box) {
                                  return em * Column{box, row, entries.front().sample}.struck(room.grid, em);
                                });
  if (!found || (room.place == LegendPlace::best && found->cost > 0)) return false;
  const Rect best = found->box;
  if (found->cost > 0) {  // a veil keeps the words readable over what they were told to cover
    Color veil = legend.theme.background;
    veil.a = 217;
    scene.primitives.emplace_back(Polygon{corners(grown(best, 0.3 * em)), veil});
  }
  for (std::size_t i = 0; i < entries.size(); ++i)
    draw_legend_entry(legend, entries[i], {best.x, best.y + row * double(i)}, row, scene);
  return true;
}

}  // namespace orrery::figure
