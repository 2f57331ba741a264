// ALiBi: attention scores fall off with distance, at a slope of its own for every head.
//
//   b[h, m, n] = −k_h (m − n) for n ≤ m, −∞ for n > m               causal
//   b[h, m, n] = −k_h |m − n|                                       bidirectional
//   k_h = 2^(−8h/H), h = 1 … H, where H is a power of two. For other H three rules are published:
//         code      the slopes of the power p below H, then every second slope of 2p (the first, the third …) until
//                   there are H: the authors' own code, and what models were trained with
//         mosaic    the slopes of the power above H, every second one first (the second, the fourth …), then the
//                   others, cut off at H: MPT's code; the same list
//         formula   2^(−8h/H) for every H, as the paper's text reads: in order, and another list
//
// Added after the scale 1/√d, and not scaled itself. (Code that adds k_h n instead differs by k_h m, the same for a
// whole row: softmax does not see it, few-bit formats do.)
//
// Shapes     slopes: H; y: (H L) × L as in relative_bias.h.
// Formats    slopes and products in double, rounded once.
// Edges      H = 0 or L = 0: nothing is written.
// Bound      relative_bias_bound, against alibi_ref.
// Source     Press et al., "Train short, test long", arXiv 2108.12409, and its code (get_slopes).
#pragma once

#include <vector>

#include "core/position/relative_bias.h"
#include "core/tensor/precision.h"

namespace orrery::position {

enum class AlibiRule { code, mosaic, formula };

std::vector<double> alibi_slopes(tensor::Index heads, AlibiRule = AlibiRule::code);

void alibi_ref(tensor::Index heads, Direction, tensor::View<double> y);
/// The bias by distance, for relative_bias_cpu and relative_bias_gpu: heads × distances(length).
tensor::Matrix<double> alibi_values(tensor::Index heads, tensor::Index length, Direction);
tensor::Matrix<double> alibi_values(std::span<const double> slopes, tensor::Index length, Direction);
/// The same with slopes and biases stored as `storage`, and their product rounded to `accumulate` before that: a slope
/// of 12 heads in bf16 is off by up to 2⁻⁹ of itself, and so is every bias.
tensor::Matrix<double> alibi_staged_values(tensor::Index heads, tensor::Index length, Direction,
                                           const tensor::Precision&);

}  // namespace orrery::position
