#include <algorithm>

#include "core/position/mrope_positions.h"

namespace orrery::position {

using tensor::Index;

void mrope_positions_ref(std::span<const MropeStretch> stretches, tensor::View<double> y) {
  check_mrope_shape(stretches, y.rows, y.cols);
  Index at = 0, start = 0;
  const auto stand = [&](Index time, Index row, Index column) {
    y(0, at) = static_cast<double>(start + time);
    y(1, at) = static_cast<double>(start + row);
    y(2, at) = static_cast<double>(start + column);
    ++at;
  };
  for (const MropeStretch& stretch : stretches) {
    for (Index n = 0; n < stretch.text; ++n) stand(n, n, n);
    start += stretch.text;
    for (Index t = 0; t < stretch.frames; ++t)
      for (Index r = 0; r < stretch.rows; ++r)
        for (Index c = 0; c < stretch.columns; ++c) stand(t, r, c);
    if (stretch.frames * stretch.rows * stretch.columns > 0)
      start += std::max({stretch.frames, stretch.rows, stretch.columns});
  }
}

}  // namespace orrery::position
