#include "app/study/position/sinusoidal_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/study/kit/panels.h"

namespace orrery::study {
namespace {

using position::SinusoidalParams;
using tensor::Index;
using twin::Matrix;

constexpr Index largest_grid = 1 << 18;  // cells; a larger table is sampled

struct SinusoidalTable {
  Index length, width;
  SinusoidalParams params;
};

/// cols × rows pixels of it: rows of the table are made as they are asked for.
figure::Grid sample(const Run& run, const SinusoidalTable& table, figure::Range x, figure::Range y, int cols,
                    int rows) {
  figure::Grid grid{rows, cols, std::vector<float>(static_cast<std::size_t>(rows) * cols)};
  const auto nearest = [](figure::Range range, int i, int count, Index last) {
    const double centre = range.lo + range.length() * (i + 0.5) / count;
    return std::clamp<Index>(std::lround(centre), 0, last);
  };
  Index made = -1;
  Matrix row;
  for (int c = 0; c < cols; ++c) {
    const Index position = nearest(x, c, cols, table.length - 1);
    if (position != made) {
      SinusoidalParams there = table.params;
      there.offset += static_cast<double>(position);
      row = twin::sinusoidal(run, 1, table.width, there);
    }
    made = position;
    for (int r = 0; r < rows; ++r)
      grid.values[static_cast<std::size_t>(r) * cols + c] =
          static_cast<float>(row(0, nearest(y, r, rows, table.width - 1)));
  }
  return grid;
}

}  // namespace

figure::Panel sinusoidal_picture(const Run& run, Index length, Index width, const SinusoidalParams& params) {
  const figure::ColorScale colors{.map = figure::ColorMap::diverging, .range = figure::Range{-1, 1}};
  figure::Heatmap map;  // a position per column
  if (length * width <= largest_grid) {
    map = heatmap(twin::sinusoidal(run, length, width, params).transpose(), colors);
  } else {
    // Asked for later and from another thread: it may use neither this run's progress nor its graphics
    // processor.
    Run later;
    later.device = run.device == DeviceChoice::ref ? DeviceChoice::ref : DeviceChoice::cpu;
    const auto sampler = [later, table = SinusoidalTable{length, width, params}](
                             figure::Range x, figure::Range y, int cols, int rows) {
      return sample(later, table, x, y, cols, rows);
    };
    map = heatmap(sampler, width, length, colors);
  }
  return map_panel("", std::move(map), "position $p$", "dimension");
}

}  // namespace orrery::study
