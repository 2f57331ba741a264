// A function on the middle of the line as a table of polynomials, for processors whose registers hold one: a coefficient
// costs a look-up and a multiply-add, whatever the function, and an exponential and a quotient cost more than all of them.
// Plain arrays, because nothing that the linker could merge may be compiled into the kernels.
#pragma once

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

/// What the bounds need: 3.4, 2.4 and 2.8 u at most over the table (u = 2⁻²⁴).
inline constexpr int gelu_degree = 5, gelu_tanh_degree = 6, silu_degree = 5;

}  // namespace orrery::activation
