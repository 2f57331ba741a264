#include "app/gui/block_readout.h"

#include <algorithm>
#include <cmath>

#include "app/figure/block_sampler.h"

namespace orrery::gui {
namespace {

constexpr double most_cells = 1 << 14;

/// From the first to the last, of those whose middles lie between two places.
struct Cells {
  int first = 0, count = 0;
  figure::Range range;
};

Cells between(double a, double b, figure::Range whole, int cells) {
  const double size = whole.length() / cells, low = std::min(a, b), high = std::max(a, b);
  const double first = std::clamp(std::ceil((low - whole.lo) / size - 0.5), 0.0, cells - 1.0);
  const double last = std::clamp(std::ceil((high - whole.lo) / size - 0.5) - 1, first, cells - 1.0);
  return {static_cast<int>(first),
          static_cast<int>(last - first) + 1,
          {whole.lo + first * size, whole.lo + (last + 1) * size}};
}

}  // namespace

std::optional<Block> block_under(const figure::Field& map, const figure::PanelFrame& frame,
                                 figure::Point at) {
  using Kind = figure::Scale::Kind;
  if (frame.x_scale.kind() != Kind::linear || frame.y_scale.kind() != Kind::linear) return std::nullopt;
  const figure::Point corner{std::floor(at.x), std::floor(at.y)};
  const auto [left, top] = frame.to_data(corner);
  const auto [right, bottom] = frame.to_data({corner.x + 1, corner.y + 1});
  const Cells across = between(left, right, map.x, map.cols), down = between(top, bottom, map.y, map.rows);
  const double count = static_cast<double>(across.count) * down.count;
  if (count <= 1) return std::nullopt;
  if (const figure::BlockSampler* blocks = map.sampler ? figure::block_sampler(*map.sampler) : nullptr) {
    const auto found = blocks->block(across.range, down.range);
    if (!found) return std::nullopt;
    const bool bounds = found->lowest.length() > 0 || found->highest.length() > 0;
    return Block{found->lowest.lo, found->mean, found->highest.hi, bounds, found->looked};
  }
  if (count > most_cells) return std::nullopt;
  const figure::Grid asked =
      map.grid ? figure::Grid{} : (*map.sampler)(across.range, down.range, across.count, down.count);
  Block block{INFINITY, 0, -INFINITY};
  double numbers = 0;
  for (int r = 0; r < down.count; ++r)
    for (int c = 0; c < across.count; ++c) {
      const std::size_t i =
          map.grid ? static_cast<std::size_t>(down.first + r) * static_cast<std::size_t>(map.cols) +
                         static_cast<std::size_t>(across.first + c)
                   : static_cast<std::size_t>(r) * static_cast<std::size_t>(across.count) +
                         static_cast<std::size_t>(c);
      const std::vector<float>& values = map.grid ? map.grid->values : asked.values;
      if (i >= values.size() || !std::isfinite(values[i])) continue;
      block.lowest = std::min<double>(block.lowest, values[i]);
      block.highest = std::max<double>(block.highest, values[i]);
      block.mean += values[i];
      ++numbers;
    }
  if (numbers == 0) return std::nullopt;
  block.mean /= numbers;
  return block;
}

}  // namespace orrery::gui
