// The inner loops of the float twins, compiled for every kind of processor.
#pragma once

#include <cstddef>

namespace orrery::position {

/// `count` tokens, one a row of the tables, in each of `groups` (heads): from token to token x_stride floats, from the same
/// token of one group to that of the next x_group; so for y, which may be x.
struct TokenRows {
  const float* x;
  std::size_t x_stride, x_group;
  const float *cos, *sin;
  std::size_t cos_stride, sin_stride;
  float* y;
  std::size_t y_stride, y_group;
  std::size_t count, groups, pairs;
  const float* next;       ///< x of the tokens that are turned after these
  bool fetched, streamed;  ///< x comes from memory; y goes there, see core/simd/share.h
};

/// Pairs (x[i], x[pairs + i]), and (x[2i], x[2i + 1]).
void rotate_halves(const TokenRows&);
void rotate_neighbours(const TokenRows&);

/// The state (sin, cos) of a run of pairs at one row, and the turn from each row to the next: all in double, each array from
/// the start of a cache line on. (What is stored across two lines cannot be handed to the load that soon asks for it.)
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

inline constexpr int wave_stride = 8;  ///< distances that are stepped on together

/// Waves of `pairs` pairs from one distance on, see core/position/rope_waves.h: cos and sin of its angle there; `turns` holds
/// 32 numbers a pair, eight real and eight imaginary parts of the eight before, then of the eight from there on.
struct WaveSum {
  const double *turns, *twice, *cos, *sin;
  std::size_t pairs;
  double* sums;
  std::size_t count;  ///< of the sums that are wanted; they are added to by eights
};
void add_waves(const WaveSum&);

}  // namespace orrery::position
