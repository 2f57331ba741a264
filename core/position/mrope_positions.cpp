#include "core/position/mrope_positions.h"

#include <algorithm>
#include <string>

#include "core/tensor/error.h"

namespace orrery::position {

using tensor::Index;

Index mrope_tokens(std::span<const MropeStretch> stretches) {
  double tokens = 0;  // a product of three sizes may be more than an Index holds
  for (const MropeStretch& stretch : stretches) {
    const Index least = std::min({stretch.text, stretch.frames, stretch.rows, stretch.columns});
    if (least < 0) throw InvalidArgument(about("stretches").found(least).allowed("{} or more tokens", 0));
    tokens += static_cast<double>(stretch.text) + static_cast<double>(stretch.frames) *
                                                      static_cast<double>(stretch.rows) *
                                                      static_cast<double>(stretch.columns);
    if (tokens > static_cast<double>(most_mrope_tokens))
      throw InvalidArgument(about("stretches")
                                .fault("more tokens than are counted")
                                .allowed("up to {} in all", most_mrope_tokens));
  }
  return static_cast<Index>(tokens);
}

void check_mrope_shape(std::span<const MropeStretch> stretches, Index rows, Index cols) {
  const Index tokens = mrope_tokens(stretches);
  if (rows == 3 && cols == tokens) return;
  throw InvalidArgument(about(words("positions"))
                            .found(std::to_string(rows) + "×" + std::to_string(cols))
                            .allowed("3 × {}, as many as there are tokens", tokens));
}

tensor::Matrix<double> mrope_positions(std::span<const MropeStretch> stretches) {
  tensor::Matrix<double> y(3, mrope_tokens(stretches));
  mrope_positions_ref(stretches, y);
  return y;
}

std::vector<MropeRun> mrope_runs(std::span<const MropeStretch> stretches) {
  std::vector<MropeRun> runs;
  Index first = 0, start = 0;
  for (const MropeStretch& stretch : stretches) {
    if (stretch.text > 0) runs.push_back({.first = first, .start = start});
    first += stretch.text;
    start += stretch.text;
    const Index image = stretch.frames * stretch.rows * stretch.columns;
    if (image == 0) continue;
    runs.push_back({.first = first, .start = start, .rows = stretch.rows, .columns = stretch.columns});
    first += image;
    start += std::max({stretch.frames, stretch.rows, stretch.columns});
  }
  return runs;
}

}  // namespace orrery::position
