#include "app/figure/legend_ends.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/figure/path.h"

namespace orrery::figure {
namespace {

constexpr std::size_t most_names = 6;
constexpr double sample = 0.9, gap = 0.4;  // text sizes
constexpr double most_of_plot = 0.36;      // of its width that names may take
constexpr double reaches = 0.02;           // of its width that a line may lack to its right edge
constexpr double most_shift = 0.75;        // of a row, that a name may stand from the end of its line

/// Where a line leaves its plot, points; nothing for one that does not go as far.
std::optional<double> end_of(const Line& line, const PanelFrame& frame) {
  const std::size_t count = std::min(line.x.size(), line.y.size());
  for (std::size_t i = count; i-- > 0;) {
    const Point p = place(frame, line.x[i], line.y[i]);
    if (!defined(p)) continue;
    if (p.x > frame.plot.x + frame.plot.w + 0.5) continue;
    const bool far_enough = p.x >= frame.plot.x + (1 - reaches) * frame.plot.w;
    const bool inside = p.y >= frame.plot.y - 0.5 && p.y <= frame.plot.y + frame.plot.h + 0.5;
    return far_enough && inside ? std::optional(p.y) : std::nullopt;
  }
  return std::nullopt;
}

/// Rows of one height as near to the wished places as they can be without touching: those that would touch share the way.
std::vector<double> apart(const std::vector<double>& wished, double row) {
  std::vector<std::size_t> order(wished.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wished[i]; });
  struct Block {
    double middle;  ///< of all its rows
    std::size_t count;
  };
  std::vector<Block> blocks;
  for (const std::size_t i : order) {
    blocks.push_back({wished[i], 1});
    while (blocks.size() > 1) {
      const Block low = blocks[blocks.size() - 2], high = blocks.back();
      const auto n = static_cast<double>(low.count), m = static_cast<double>(high.count);
      if (high.middle - low.middle >= row * (n + m) / 2) break;
      blocks.pop_back();
      blocks.back() = {(n * low.middle + m * high.middle) / (n + m), low.count + high.count};
    }
  }
  std::vector<double> placed(wished.size());
  std::size_t next = 0;
  for (const Block& block : blocks)
    for (std::size_t k = 0; k < block.count; ++k)
      placed[order[next++]] =
          block.middle + row * (static_cast<double>(k) - (static_cast<double>(block.count) - 1) / 2);
  return placed;
}

}  // namespace

std::optional<LineEnds> line_ends(const std::vector<LegendEntry>& entries, const Panel& panel,
                                  const PanelFrame& frame, const Theme& theme, const TextMetrics& metrics) {
  if (entries.empty() || entries.size() > most_names || frame.x_reversed || frame.plot.w <= 0) return {};
  LineEnds out;
  std::vector<double> wished;
  for (const LegendEntry& entry : entries) {
    const Line* line = std::get_if<Line>(&panel.marks[static_cast<std::size_t>(entry.mark)]);
    const std::optional<double> end = line ? end_of(*line, frame) : std::nullopt;
    if (!end) return {};
    wished.push_back(*end);
    out.entries.push_back(entry);
    out.entries.back().sample = sample;
    out.width = std::max(out.width, legend_entry_width(out.entries.back(), theme));
  }
  out.width += gap * theme.text_size;
  if (out.width > most_of_plot * frame.plot.w) return {};
  const double row = legend_row_height(theme, metrics);
  out.middles = apart(wished, row);
  for (std::size_t i = 0; i < wished.size(); ++i) {
    if (std::abs(out.middles[i] - wished[i]) > most_shift * row) return {};
    if (out.middles[i] > frame.plot.y + frame.plot.h + row / 2) return {};
  }
  return out;
}

void draw_line_ends(const Legend& legend, const LineEnds& ends, double right_of, Scene& scene) {
  const double row = legend_row_height(legend.theme, legend.metrics);
  for (std::size_t i = 0; i < ends.entries.size(); ++i)
    draw_legend_entry(legend, ends.entries[i],
                      {right_of + gap * legend.theme.text_size, ends.middles[i] - row / 2}, row, scene);
}

}  // namespace orrery::figure
