#include <algorithm>
#include <cmath>

#include "core/position/kernels.h"
#include "core/position/sinusoidal.h"
#include "core/simd/share.h"

namespace orrery::position {

using tensor::Index;

namespace {

constexpr auto size = [](Index n) { return static_cast<std::size_t>(n); };

/// Rows from one sin and cos of the library to the next, and pairs that turn together: their state stays in the cache.
constexpr Index block = 1024, tile = 1024;

/// One block of rows of one tile of pairs.
void turn_tile(std::span<const double> frequency, double position, bool interleaved, Index pairs,
               Index first_pair, tensor::View<float> y, bool streamed) {
  const std::size_t count = frequency.size();
  std::vector<double> sin(count), cos(count), turn_sin(count), turn_cos(count);
  for (std::size_t i = 0; i < count; ++i) {
    sin[i] = std::sin(position * frequency[i]);
    cos[i] = std::cos(position * frequency[i]);
    turn_sin[i] = std::sin(frequency[i]);
    turn_cos[i] = std::cos(frequency[i]);
  }
  const TurningPairs state{sin.data(), cos.data(), turn_sin.data(), turn_cos.data(), count};
  if (interleaved) {
    turn_neighbours(state, y.data + 2 * first_pair, size(y.stride), size(y.rows), streamed);
  } else {
    turn_halves(state, y.data + first_pair, y.data + pairs + first_pair, size(y.stride), size(y.rows),
                streamed && pairs % 16 == 0);
  }
}

}  // namespace

template <>
void sinusoidal_cpu(const SinusoidalParams& params, tensor::View<float> y) {
  const std::vector<double> frequency = sinusoidal_frequencies(y.cols, params);
  const bool interleaved = params.layout == SinusoidalLayout::paper, streamed = simd::is_streamed(y);
  const Index pairs = y.cols / 2, tiles = (pairs + tile - 1) / tile, blocks = (y.rows + block - 1) / block;

  simd::share(blocks * tiles, y.size(), [&](Index first, Index end) {
    for (Index k = first; k < end; ++k) {
      const Index row = k / tiles * block, pair = k % tiles * tile;
      const std::span<const double> part(frequency.data() + pair, size(std::min(tile, pairs - pair)));
      const tensor::View<float> rows(y.data + row * y.stride, std::min(block, y.rows - row), y.cols,
                                     y.stride);
      turn_tile(part, params.offset + static_cast<double>(row), interleaved, pairs, pair, rows, streamed);
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
