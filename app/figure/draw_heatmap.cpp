// A heatmap is one image: a pixel per cell while the page can show them all, else a pixel per pixel of the
// page, which has the mean of the cells below it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "app/figure/block_means.h"
#include "app/figure/block_sampler.h"
#include "app/figure/data_range.h"
#include "app/figure/field.h"
#include "app/figure/stage.h"

namespace orrery::figure {

namespace {

constexpr int most_pixels = 8192;  // of either side

/// How one axis of the image is divided.
struct Division {
  Range range;  ///< data units
  int count = 0;
};

Division divide(Range whole, int cells, Range shown, bool linear, double pixels) {
  const Range visible{std::max(whole.lo, shown.lo), std::min(whole.hi, shown.hi)};
  const int fine = std::clamp(int(std::ceil(pixels)), 1, most_pixels);
  if (!(visible.lo < visible.hi) || cells <= 0) return {};
  const double cell = whole.length() / cells;
  const double first = std::max(0.0, std::floor((visible.lo - whole.lo) / cell + 1e-9));
  const double last = std::min(double(cells), std::ceil((visible.hi - whole.lo) / cell - 1e-9));
  const double count = std::max(1.0, last - first);
  const Range cells_shown{whole.lo + first * cell,
                          first + count == cells ? whole.hi : whole.lo + (first + count) * cell};
  // Deep inside a cell, whole cells would reach far beyond the page.
  const bool deep = cells_shown.length() > 4 * visible.length();
  if (!linear || deep || count > fine) return {visible, fine};
  return {cells_shown, int(count)};
}

/// Which of the source's n cells over `whole` lies under each of the division's pixels.
std::vector<int> nearest(const Division& d, const Scale& scale, Range whole, int n) {
  std::vector<int> index(std::size_t(d.count));
  for (int i = 0; i < d.count; ++i) {
    const double v = scale.invert((i + 0.5) / d.count, d.range);
    index[std::size_t(i)] = std::clamp(int(std::floor((v - whole.lo) / whole.length() * n)), 0, n - 1);
  }
  return index;
}

/// The pixels of the image of a map, from left to right and upwards.
struct Divisions {
  Division across, down;
};

Divisions divisions(const Heatmap& map, const Field& field, const PanelFrame& f, double pixels_per_point) {
  const bool linear_x = f.x_scale.kind() == Scale::Kind::linear,
             linear_y = f.y_scale.kind() == Scale::Kind::linear;
  return {divide(f.x_scale.clamp(map.x), field.cols, f.x, linear_x, f.plot.w * pixels_per_point),
          divide(f.y_scale.clamp(map.y), field.rows, f.y, linear_y, f.plot.h * pixels_per_point)};
}

/// Rows of a large matrix lie far apart in memory: this one will be read next.
void fetch(const float* row, int cols) {
  constexpr int line = 16;  // floats that memory hands out at once
  for (int j = 0; j < cols; j += line) __builtin_prefetch(row + j);
}

}  // namespace

bool averages(const Heatmap& map, const PanelFrame& f, double pixels_per_point) {
  const Field field = field_of(map);
  if (!field.drawable()) return false;
  const auto [across, down] = divisions(map, field, f, pixels_per_point);
  if (across.count == 0 || down.count == 0) return false;
  return coarser({across.range, across.count, f.x_scale}, field.x, field.cols) ||
         coarser({down.range, down.count, f.y_scale}, field.y, field.rows);
}

namespace {

/// Whether a pixel is asked for as a block of its own: blocks are even only where the axes are.
bool asked_by_pixel(const Heatmap& map, const PanelFrame& f) {
  return !map.grid && block_sampler(map.sampler) && f.x_scale.kind() == Scale::Kind::linear &&
         f.y_scale.kind() == Scale::Kind::linear;
}

}  // namespace

std::optional<Range> blocks_range(const Heatmap& map, const PanelFrame& f, double pixels_per_point) {
  if (!asked_by_pixel(map, f)) return {};
  const Field field = field_of(map);
  if (!field.drawable()) return {};
  const auto [across, down] = divisions(map, field, f, pixels_per_point);
  if (across.count == 0 || down.count == 0) return {};
  return value_range(map.sampler(across.range, down.range, across.count, down.count));
}

void draw(const Heatmap& map, const ValueColors& colors, const Stage& s) {
  const PanelFrame& f = s.frame;
  const Field field = field_of(map);
  if (!field.drawable()) return;
  const auto [across, down] = divisions(map, field, f, s.pixels_per_point);
  if (across.count == 0 || down.count == 0) return;

  const bool averaged = averages(map, f, s.pixels_per_point);
  Grid sampled;
  if (asked_by_pixel(map, f)) {
    sampled = map.sampler(across.range, down.range, across.count, down.count);
  } else if (averaged) {
    const bool phases = map.colors.map == ColorMap::cyclic;
    sampled = block_means(field, {across.range, across.count, f.x_scale}, {down.range, down.count, f.y_scale},
                          phases ? std::optional(colors.range()) : std::nullopt, s.most_cells);
  } else if (!map.grid) {
    sampled = map.sampler(across.range, down.range, across.count, down.count);
  }
  const bool as_it_is = map.grid && !averaged;
  const Grid& source = as_it_is ? *map.grid : sampled;
  if (!whole(source)) return;
  const std::vector<int> col = nearest(across, f.x_scale, as_it_is ? map.x : across.range, source.cols);
  const std::vector<int> row = nearest(down, f.y_scale, as_it_is ? map.y : down.range, source.rows);

  std::vector<int> from = col;  // which column stands at which pixel
  if (f.x_reversed) std::ranges::reverse(from);
  auto pixels = std::make_shared<std::vector<Color>>();
  pixels->reserve(col.size() * row.size());
  std::vector<float> line(col.size());
  std::vector<Color> shown(col.size());
  const auto values_of = [&](std::size_t i) {
    return source.values.data() +
           std::size_t(row[f.y_reversed ? i : row.size() - 1 - i]) * std::size_t(source.cols);
  };
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float* values = values_of(i);
    if (i + 1 < row.size())
      fetch(values_of(i + 1), source.cols);  // on its way while this row gets its colours
    for (std::size_t j = 0; j < from.size(); ++j) line[j] = values[from[j]];
    colors.map(line, shown);
    pixels->insert(pixels->end(), shown.begin(), shown.end());
  }
  const Point a = f.to_page(across.range.lo, down.range.lo), b = f.to_page(across.range.hi, down.range.hi);
  const Rect box{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x), std::abs(b.y - a.y)};
  s.scene.primitives.emplace_back(Clip{f.plot});
  s.scene.primitives.emplace_back(Image{box, across.count, down.count, std::move(pixels)});
  s.scene.primitives.emplace_back(Unclip{});
  write_cells(map, colors, s);
}

}  // namespace orrery::figure
