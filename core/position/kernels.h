// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::position {

/// Turns one row's `pairs` pairs; cos and sin of each. y may be x. Streamed: see core/simd/share.h.
using RotateRow = void(const float* x, const float* cos, const float* sin, std::size_t pairs, float* y,
                       bool streamed);
RotateRow rotate_halves, rotate_neighbours;

/// The state (sin, cos) of a run of pairs at one row, and the turn from each row to the next: all in double.
struct TurningPairs {
  double* sin;
  double* cos;
  const double* turn_sin;
  const double* turn_cos;
  std::size_t count;
};

/// `rows` rows of the table, y_stride floats apart, each pair turned on from row to row. Neighbours: y = sin, cos, sin,
/// cos …; else the sines at `sin`, the cosines at `cos`.
void turn_neighbours(const TurningPairs&, float* y, std::size_t y_stride, std::size_t rows, bool streamed);
void turn_halves(const TurningPairs&, float* sin, float* cos, std::size_t y_stride, std::size_t rows,
                 bool streamed);

}  // namespace orrery::position
