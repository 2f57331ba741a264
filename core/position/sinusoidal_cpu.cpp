#include <algorithm>
#include <cmath>

#include "core/position/kernels.h"
#include "core/position/sinusoidal.h"
#include "core/simd/share.h"

namespace orrery::position {

using tensor::Index;

namespace {

constexpr auto size = [](Index n) { return static_cast<std::size_t>(n); };

/// Pairs that turn together: their state stays in the cache.
constexpr Index tile = 1024;

/// Rows from one sin and cos of the library to the next. Many, so that little time goes there; but at least two blocks.
Index rows_of_block(Index rows) {
  return std::clamp(rows / 2, Index{1024}, Index{4096});
}

void set_sin_cos(std::span<const double> frequency, double position, double* sin, double* cos) {
  for (std::size_t i = 0; i < frequency.size(); ++i) {
    sin[i] = std::sin(position * frequency[i]);
    cos[i] = std::cos(position * frequency[i]);
  }
}

}  // namespace

template <>
void sinusoidal_cpu(const SinusoidalParams& params, tensor::View<float> y) {
  const std::vector<double> frequency = sinusoidal_frequencies(y.cols, params);
  const bool interleaved = params.layout == SinusoidalLayout::paper;
  const bool streamed = simd::is_streamed(y) && simd::starts_on_lines(y);
  const Index pairs = y.cols / 2, tiles = (pairs + tile - 1) / tile;
  const Index block = rows_of_block(y.rows), blocks = (y.rows + block - 1) / block;

  simd::share(blocks * tiles, y.size(), [&](Index first, Index end) {
    constexpr Index line = 8;  // doubles: each row of the state starts on a cache line
    tensor::Matrix<double> state(4, (std::min(tile, pairs) + line - 1) / line * line);
    double *const sin = state.row(0).data(), *const cos = state.row(1).data();
    double *const turn_sin = state.row(2).data(), *const turn_cos = state.row(3).data();
    Index turning = -1;  // the first of the pairs whose turn stands there
    for (Index k = first; k < end; ++k) {
      const Index row = k % blocks * block, rows = std::min(block, y.rows - row), pair = k / blocks * tile;
      const std::span<const double> part(frequency.data() + pair, size(std::min(tile, pairs - pair)));
      if (pair != turning) set_sin_cos(part, 1, turn_sin, turn_cos);
      turning = pair;
      set_sin_cos(part, params.offset + static_cast<double>(row), sin, cos);

      const TurningPairs p{sin, cos, turn_sin, turn_cos, part.size()};
      float* const to = y.data + row * y.stride;
      if (interleaved) {
        turn_neighbours(p, to + 2 * pair, size(y.stride), size(rows), streamed);
      } else {
        turn_halves(p, to + pair, to + pairs + pair, size(y.stride), size(rows), streamed && pairs % 16 == 0);
      }
    }
  });
}

/// In double every row is exact.
template <>
void sinusoidal_cpu(const SinusoidalParams& params, tensor::View<double> y) {
  const std::vector<double> frequency = sinusoidal_frequencies(y.cols, params);
  const Index pairs = y.cols / 2;
  const bool interleaved = params.layout == SinusoidalLayout::paper;
  simd::share(y.rows, y.size(), [&](Index first, Index end) {
    for (Index r = first; r < end; ++r) {
      const double position = params.offset + static_cast<double>(r);
      for (Index i = 0; i < pairs; ++i) {
        const double angle = position * frequency[size(i)];
        y(r, interleaved ? 2 * i : i) = std::sin(angle);
        y(r, interleaved ? 2 * i + 1 : pairs + i) = std::cos(angle);
      }
    }
  });
}

}  // namespace orrery::position
