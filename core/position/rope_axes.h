// Rotary positions along several axes (M-RoPE): a token of an image or a video has a time, a row and a column, and
// each pair turns with one of them.
//
//   angle of pair i at token t = p[axis(i), t] θ_i          θ_i as for one axis: i is never counted anew
//
//   sectioned     the first n_0 pairs take axis 0, the next n_1 axis 1 …          Qwen2-VL: 16 + 24 + 24
//   interleaved   the axes take turns, pair by pair, until each has its n_k; pairs that nobody else takes are
//                 axis 0's: t h w t h w … t t t                                    Qwen3-VL: 24 + 20 + 20
//
// A text has the same position on every axis, and both are then plain RoPE: only images tell them apart.
// Edges      sections that are negative, do not add up to the pairs, or cannot take turns: InvalidArgument.
// Source     Wang et al., "Qwen2-VL", arXiv 2409.12191; Hugging Face's code of Qwen2-VL and Qwen3-VL.
#pragma once

#include <span>
#include <vector>

#include "core/position/rope.h"

namespace orrery::position {

/// The axis that each of Σ sections pairs takes.
std::vector<int> mrope_axes(std::span<const int> sections, bool interleaved);

/// The table of tokens whose positions are the columns of `positions`, axes × T.
RopeTable rope_table(tensor::View<const double> positions, std::span<const int> axis_of_pair,
                     std::span<const double> inv_freq, double attention_factor = 1);

}  // namespace orrery::position
