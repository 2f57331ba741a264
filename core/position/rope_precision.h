// What few bits do to rotary positions: how far every angle is off, and which positions become one.
//
//   angle      φ̂ = r(r(m) r(θ_i)) of rope_staged.h; its error is φ̂ − m θ_i, whole turns counted
//   collision  neighbours m and m + 1 whose rows of cos and sin are equal in every pair: no score can tell them apart
//
// Rounding never changes the order of two numbers, so equal positions stand side by side: a run. With positions
// alone rounded to p bits, whole numbers are exact up to 2^p, and from there to 2^(p+1) every second one is left.
// Edges      a position past the largest number of its format is infinite, its angle no number: such positions
//            have no row, and are counted apart
// Source     EleutherAI/gpt-neox#1016 (256 and 257 in bf16), huggingface/transformers#29285 (angle),
//            #28837 (frequencies); Wang et al., arXiv 2411.13476
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/position/rope_staged.h"

namespace orrery::position {

/// φ̂ − m θ in radians; NaN where φ̂ is no number.
double rope_phase_error(double position, double inv_freq, const RopeFormats&);

/// Positions first … last, themselves among them.
struct PositionRun {
  tensor::Index first = 0, last = 0;
  tensor::Index count() const { return last - first + 1; }
  bool operator==(const PositionRun&) const = default;
};

/// The largest |error| of one pair over some positions and where it first stands. Positions without an angle are left
/// out.
struct WorstPhase {
  double radians = 0;
  tensor::Index position = 0;
};
WorstPhase rope_worst_phase(PositionRun, double inv_freq, const RopeFormats&);

struct RopeCollisions {
  tensor::Index distinct = 0;          ///< rows that differ from their neighbour's
  tensor::Index unreachable = 0;       ///< positions that have no angle
  std::vector<PositionRun> runs = {};  ///< positions that share one row, two and more, in order
};

/// `pause` is called every 4096 positions with how many are done and what they gave, and may throw.
RopeCollisions rope_collisions(
    PositionRun, std::span<const double> inv_freq, double attention_factor, const RopeFormats&,
    const std::function<void(tensor::Index done, const RopeCollisions&)>& pause = {});

/// (q turned at n + offset) · (k turned at n) for keys at several positions n. Rows are turned as the formats say;
/// products and their sum are formed in double.
std::vector<double> rope_staged_scores(std::span<const double> q, std::span<const double> k, double offset,
                                       std::span<const double> key_positions,
                                       std::span<const double> inv_freq, double attention_factor,
                                       const RopeFormats&);

/// θ_i as a running product, θ_0 = 1, θ_{i+1} = r(θ_i r(b^(−2/R))), each factor rounded.
std::vector<double> rope_running_frequencies(tensor::Index rotary_dim, double base, tensor::Format);

}  // namespace orrery::position
