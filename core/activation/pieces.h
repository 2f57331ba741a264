// A function on the middle of the line as a table of polynomials, for processors whose registers hold one: a coefficient
// costs a look-up and a multiply-add, whatever the function, and an exponential and a quotient cost more than all of them.
// Plain arrays, because nothing that the linker could merge may be compiled into the kernels.
#pragma once

#include <cstdint>

#include "core/activation/activation.h"

namespace orrery::activation {

/// f between −limit and limit: piece j is Σ_k coefficient[k][j] (x − m)^k about its middle m = j·width, j from −16 to 15,
/// counted modulo 32.
struct Pieces {
  static constexpr int count = 32, highest_degree = 6;
  static constexpr float width = 0.25f, limit = 3.875f;

  alignas(64) float coefficient[highest_degree + 1][count] = {};
};

/// Polynomials of least relative error. f(0) is 0, and nowhere else: the piece about 0 has no constant, so that it is
/// relatively exact, too.
Pieces pieces_of(Kind, int degree);

/// f left of 0 in wider pieces: piece j is Σ_k coefficient[k][…][…] (x − m)^k about its middle m = j·width. One register of
/// eight numbers holds a coefficient of the pieces from −7 to 0, `near`, another that of those from −11 to −8, `far`, both
/// counted modulo 8. Right of 0 an f(x) that is x s(x) with s(x) + s(−x) = 1 is x + f(−x).
struct HalfPieces {
  static constexpr int count = 8, far_count = 4, near_degree = 7, far_degree = 8;
  static constexpr float width = 0.5f, near_limit = 3.75f, far_limit = 5.75f;

  alignas(64) float near[near_degree + 1][count] = {};
  alignas(64) float far[far_degree + 1][count] = {};
};
/// 3.0 u at most of what is near, 7 u of what is far, of GELU.
HalfPieces half_pieces_of(Kind);

/// Of eight lanes the numbers of those that a mask has, one behind the other, then zeros.
struct PressedLanes {
  alignas(64) std::uint8_t of[256][8] = {};
};
PressedLanes pressed_lanes();

/// What the bounds need: 3.4, 2.4 and 2.8 u at most over the table (u = 2⁻²⁴).
inline constexpr int gelu_degree = 5, gelu_tanh_degree = 6, silu_degree = 5;

}  // namespace orrery::activation
