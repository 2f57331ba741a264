#include "app/study/position/sinusoidal_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/study/kit/panels.h"
#include "app/study/position/sinusoidal_settings.h"

namespace orrery::study {
namespace {

using position::SinusoidalParams;
using tensor::Index;
using twin::Matrix;

constexpr Index largest_grid = 1 << 18;  // cells; a larger table is sampled

struct SinusoidalTable {
  Index length, width;
  SinusoidalParams params;
  std::vector<Index> dimensions;  ///< those that are shown, from the top
};

std::vector<Index> dimensions_shown(Index width, const SinusoidalParams& params, Waves waves) {
  std::vector<Index> shown;
  if (waves == Waves::all)
    for (Index j = 0; j < width; ++j) shown.push_back(j);
  else
    for (Index i = 0; i < width / 2; ++i) {
      const auto [sine, cosine] = dimensions_of(i, width, params.layout);
      shown.push_back(waves == Waves::sines ? sine : cosine);
    }
  return shown;
}

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
          static_cast<float>(row(0, table.dimensions[nearest(y, r, rows, std::ssize(table.dimensions) - 1)]));
  }
  return grid;
}

}  // namespace

figure::Panel sinusoidal_picture(const Run& run, Index length, Index width, const SinusoidalParams& params,
                                 Waves waves) {
  const figure::ColorScale colors{.map = figure::ColorMap::diverging, .range = figure::Range{-1, 1}};
  const SinusoidalTable table{length, width, params, dimensions_shown(width, params, waves)};
  const Index rows = std::ssize(table.dimensions);
  figure::Heatmap map;  // a position per column
  if (length * width <= largest_grid) {
    const Matrix whole = twin::sinusoidal(run, length, width, params);
    Matrix shown(rows, length);
    for (Index r = 0; r < rows; ++r) shown.row(r) = whole.col(table.dimensions[r]).transpose();
    map = heatmap(shown, colors);
  } else {
    // Asked for later and from another thread: it may use neither this run's progress nor its graphics
    // processor.
    Run later;
    later.device = run.device == DeviceChoice::ref ? DeviceChoice::ref : DeviceChoice::cpu;
    const auto sampler = [later, table](figure::Range x, figure::Range y, int cols, int pixels) {
      return sample(later, table, x, y, cols, pixels);
    };
    map = heatmap(sampler, rows, length, colors);
  }
  return map_panel("", std::move(map), "position $p$", waves == Waves::all ? "dimension" : "pair $i$");
}

}  // namespace orrery::study
