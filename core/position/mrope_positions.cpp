#include "core/position/mrope_positions.h"

#include <algorithm>

#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

namespace {

void check(const MropeStretch& stretch) {
  const Index least = std::min({stretch.text, stretch.frames, stretch.rows, stretch.columns});
  if (least < 0) throw InvalidArgument(about("stretch").found(least).allowed("{} or more tokens", 0));
}

}  // namespace

tensor::Matrix<double> mrope_positions(std::span<const MropeStretch> stretches) {
  Index tokens = 0;
  for (const MropeStretch& stretch : stretches) {
    check(stretch);
    tokens += stretch.tokens();
  }
  tensor::Matrix<double> positions(3, tokens);
  Index at = 0, start = 0;
  const auto stand = [&](Index time, Index row, Index column) {
    positions(0, at) = static_cast<double>(start + time);
    positions(1, at) = static_cast<double>(start + row);
    positions(2, at) = static_cast<double>(start + column);
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
  return positions;
}

}  // namespace orrery::position
