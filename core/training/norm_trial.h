// LayerNorm and RMSNorm in the place of each other: the same model, the same chains, the same first matrices; what it learns,
// and how long a step takes.
//
//   a decoder of two layers, 64 wide, four heads, Pre-LN, RoPE; chains of 8 states (task.h), 32 of 64 tokens at once; AdamW
//   as in length_race.h. LayerNorm has gains and biases, RMSNorm gains.
//
// Source: Zhang, Sennrich 2019, arXiv 1910.07467.
#pragma once

#include <array>
#include <cstdint>

#include "core/training/kept_training.h"

namespace orrery::training {

inline constexpr std::array norm_trial_kinds{transformer::NormKind::layer, transformer::NormKind::rms};

Plan norm_plan(transformer::NormKind, std::int64_t steps, std::uint64_t seed);

/// Milliseconds of so many steps of each of norm_trial_kinds, taken in turns: the machine's pace is the same for both.
std::array<std::vector<double>, norm_trial_kinds.size()> norm_step_times(std::int64_t steps,
                                                                         const Between& between);

}  // namespace orrery::training
