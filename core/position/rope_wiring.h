// Which column of a head turns with which, and how fast: the conventions of rotary positions, the published ones and
// the mistakes that come of mixing them.
//
//   column a of a row at position m:   y_a = cos(m f_a) x_a + σ_a sin(m f_a) x_b,   b the partner of a, σ = −1 or +1
//
//   interleaved      neighbours (2i, 2i + 1), f = b^(−2i/d)                  RoFormer, GPT-J, Llama's own code
//   half             one of each half (i, i + d/2), f = b^(−2i/d)            GPT-NeoX, Hugging Face
//   half_permuted    half, after the columns of q and k were put in the order 0, 2, 4 … 1, 3, 5 …, as a conversion
//                    of Llama's weights does: the scores of interleaved
//   partial          (i, i + R/2), f = b^(−2i/R), R = p d; columns from R on are passed through
//   proportional     (i, i + d/2), f = b^(−2i/d) for the first p d/2 pairs; the others stand still (p-RoPE)
//   mixed_table      neighbours turn, but the table of cos and sin is laid out for halves: the two columns of a
//                    pair turn at different speeds, which is no rotation
//   mixed_sides      queries are interleaved, keys half
//
// A score is relative when it depends on m − n only. The first five are; of the last two neither is.
// Edges      d odd or < 2, or R odd: InvalidArgument
// Source     Su et al., arXiv 2104.09864, eq. 34; huggingface/transformers#25199; Barbero et al., arXiv 2410.06205;
//            raiyanyahya/how-to-train-your-gpt#7 (mixed_table), NeuraLegion/shainet#111
#pragma once

#include <span>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::position {

enum class RopeConvention {
  interleaved,
  half,
  half_permuted,
  partial,
  proportional,
  mixed_table,
  mixed_sides
};

/// Two columns that turn into each other, y_a = cos x_a − sin x_b and y_b = sin x_a + cos x_b, each with the
/// frequency that its own column of the table holds: the same one, unless the layouts are mixed.
struct RopePair {
  tensor::Index a = 0, b = 0;
  double frequency_a = 0, frequency_b = 0;
  bool operator==(const RopePair&) const = default;
};

struct RopeWiring {
  std::vector<RopePair> query, key;
  std::vector<tensor::Index> order;  ///< column j of a row is column order[j] of the weights; empty: as it is
};

struct RopeWiringParams {
  tensor::Index width = 64;  ///< d
  double base = 10000;
  double part = 1;  ///< p of partial and proportional; p d is rounded down to an even number
};

RopeWiring rope_wiring(RopeConvention, const RopeWiringParams&);

/// A row at a position; columns that no pair names are passed through.
std::vector<double> rope_turned(std::span<const double> x, double position, std::span<const RopePair>);

/// (turned q at m) · (turned k at n), both rows in the order of the weights.
double rope_wired_score(const RopeWiring&, std::span<const double> q, std::span<const double> k, double m,
                        double n);

/// Scores at distance r for keys at several absolute positions: positions × distances.
tensor::Matrix<double> rope_wired_scores(const RopeWiring&, std::span<const double> q,
                                         std::span<const double> k, std::span<const double> distances,
                                         std::span<const double> key_positions);

/// The largest difference between two rows at the same distance: 0 for scores that are relative, but for rounding.
double score_spread(const tensor::Matrix<double>& scores);

}  // namespace orrery::position
