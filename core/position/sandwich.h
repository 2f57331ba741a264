// Sandwich: the dot product of two sinusoidal positions alone, without the embeddings, as an additive bias.
//
//   b[h, m, n] = (Σ_i cos((m − n) ω_i) − D/2) / c_h,  ω_i = base^(−2i/D),  c_h = 8h/H, h = 1 … H
//   D/2 pairs, from i = first on
//   causal: −∞ for n > m
//
// The sum alone is ⟨PE(m), PE(n)⟩; taking D/2 off makes b = 0 at distance 0 and changes no softmax. It falls like the
// logarithm of the distance, with ripples, for as long as its slowest waves have not turned.
//
// Shapes     y: (H L) × L as in relative_bias.h.
// Formats    angles and sums in double, rounded once.
// Edges      D odd or below 2, base ≤ 1: InvalidArgument. H = 0 or L = 0: nothing is written.
// Bound      relative_bias_bound, against sandwich_ref.
// Source     Chi et al., "Dissecting Transformer length extrapolation via the lens of receptive field analysis",
//            arXiv 2212.10356, section 5 (D = 128). NVIDIA's NeMo sums from first = 1 on, and takes D/2 off.
#pragma once

#include "core/position/relative_bias.h"

namespace orrery::position {

struct SandwichParams {
  tensor::Index heads = 8;
  tensor::Index width = 128;  ///< D: how many dimensions of the sinusoid are kept, whatever the head's width
  tensor::Index first = 0;    ///< 0: as the sinusoidal table has it
  double base = 10000;
  Direction direction = Direction::causal;
};

/// Throws InvalidArgument for numbers that make no sinusoid.
void check_sandwich(const SandwichParams&);

void sandwich_ref(const SandwichParams&, tensor::View<double> y);
/// The bias by distance, for relative_bias_cpu and relative_bias_gpu: heads × distances(length).
tensor::Matrix<double> sandwich_values(const SandwichParams&, tensor::Index length);

}  // namespace orrery::position
