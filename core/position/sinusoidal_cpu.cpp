#include <algorithm>
#include <cmath>

#include "core/position/sinusoidal.h"
#include "core/tensor/reduce.h"

namespace orrery::position {

using tensor::Index;

namespace {

/// Rows from one exact sin and cos to the next. In double every row is exact.
template <class T>
constexpr Index block = 1;
template <>
constexpr Index block<float> = 64;

/// The state (sin, cos) of every pair at one row, and the turn from a row to the next.
struct Pair {
  double sin, cos, turn_sin, turn_cos;
};

/// Writes one row and turns every pair on to the next.
template <class T>
void write_row(std::vector<Pair>& pairs, bool interleaved, T* y) {
  const std::size_t count = pairs.size();
  for (std::size_t i = 0; i < count; ++i) {
    Pair& p = pairs[i];
    y[interleaved ? 2 * i : i] = static_cast<T>(p.sin);
    y[interleaved ? 2 * i + 1 : count + i] = static_cast<T>(p.cos);
    const double sin = p.sin * p.turn_cos + p.cos * p.turn_sin;
    p.cos = p.cos * p.turn_cos - p.sin * p.turn_sin;
    p.sin = sin;
  }
}

}  // namespace

template <class T>
void sinusoidal_cpu(const SinusoidalParams& params, tensor::View<T> y) {
  const std::vector<double> frequency = sinusoidal_frequencies(y.cols, params);
  const bool interleaved = params.layout == SinusoidalLayout::paper;
  const Index blocks = (y.rows + block<T> - 1) / block<T>;

#pragma omp parallel if (y.size() > tensor::small_work)
  {
    std::vector<Pair> pairs(frequency.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pairs[i].turn_sin = std::sin(frequency[i]);
      pairs[i].turn_cos = std::cos(frequency[i]);
    }
#pragma omp for schedule(static)
    for (Index b = 0; b < blocks; ++b) {
      const Index first = b * block<T>;
      const double position = params.offset + static_cast<double>(first);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i].sin = std::sin(position * frequency[i]);
        pairs[i].cos = std::cos(position * frequency[i]);
      }
      const Index end = std::min(first + block<T>, y.rows);
      for (Index r = first; r < end; ++r) write_row(pairs, interleaved, y.row(r).data());
    }
  }
}

template void sinusoidal_cpu(const SinusoidalParams&, tensor::View<float>);
template void sinusoidal_cpu(const SinusoidalParams&, tensor::View<double>);

}  // namespace orrery::position
