// xPos: rotary positions whose pairs also grow or shrink with the position, so that scores decay with distance.
//
//   ζ_i = (2i/R + γ) / (1 + γ);   a query at m is multiplied by ζ_i^(m/B), a key at n by ζ_i^(−n/B)
//   so that pair i of the score at distance m − n carries ζ_i^((m−n)/B)
//
// Formats    the scale is formed in double and multiplied into cos and sin: what turns a pair stays one table, and
//            both rotation and derivative are RoPE's.
// Edges      ζ_0 = 2/7: keys grow by 3.5 every B tokens. Beyond position 36 000 a float overflows (fp16: beyond
//            4 500); only differences matter, so programs centre the positions. Keys after their query grow:
//            for causal attention only.
//            γ ≤ 0, B ≤ 0: InvalidArgument.
// Source     Sun et al., "A length-extrapolatable Transformer", arXiv 2212.10554; torchscale (γ = 0.4, B = 512).
#pragma once

#include <span>
#include <vector>

#include "core/position/rope.h"

namespace orrery::position {

/// The two sides of a score, where they are not treated alike.
enum class ScoreSide { query, key };

struct XposParams {
  double gamma = 0.4;       ///< γ
  double scale_base = 512;  ///< B, tokens
};

/// ζ_i, i = 0 … pairs − 1.
std::vector<double> xpos_scales(tensor::Index pairs, const XposParams&);

/// Multiplies the table of `positions` by what side it is of.
void apply_xpos(RopeTable&, std::span<const double> positions, const XposParams&, ScoreSide);

}  // namespace orrery::position
