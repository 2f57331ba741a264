// How long a pair takes to come round, and how many of them do within a text.
//
//   λ_i = 2π/θ_i tokens;   L/λ_i turns within L tokens
//
// For θ_i = b^(−2i/d) the pairs that do are critical_dimension / 2 (rope_coverage.h).
// Source     Su et al., arXiv 2104.09864
#pragma once

#include <span>

#include "core/tensor/format.h"
#include "core/tensor/view.h"

namespace orrery::position {

/// Infinite for a pair that stands still.
double rope_wavelength(double inv_freq);

/// Pairs whose wavelength is at most `length`.
tensor::Index pairs_that_come_round(std::span<const double> inv_freq, double length);

/// What a table of cos and sin takes: length × pairs × 2 numbers, twice that where both halves of a head are
/// kept, as Hugging Face's code does.
double rope_cache_bytes(double length, tensor::Index pairs, bool both_halves, tensor::Format);

}  // namespace orrery::position
