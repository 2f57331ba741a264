// Where the tokens of a text with images and videos stand on the three axes of M-RoPE: time, row and column.
//
//   text         each token one further than the last, the same on all axes
//   an image     frame t, row r, column c of one that begins at p: (p + t, p + r, p + c), frame by frame, row by row
//   what follows begins one past the largest position so far: p + max(frames, rows, columns)
//
// Shapes     stretches of T tokens in all → 3 × T; whole numbers in double, exact.
// Formats    there is nothing to round: these are the positions that rope_table(positions, …) takes, on every device alike.
// Edges      no stretch, or only empty ones: 3 × 0. A negative size: InvalidArgument.
// Source     Wang et al., "Qwen2-VL", arXiv 2409.12191, section 2.1; get_rope_index of Hugging Face's Qwen2-VL.
//            (Qwen2.5-VL multiplies frames by their seconds; Qwen3-VL puts text between frames.)
#pragma once

#include <span>

#include "core/tensor/view.h"

namespace orrery::position {

/// Text, or else frames × rows × columns of an image or a video.
struct MropeStretch {
  tensor::Index text = 0;
  tensor::Index frames = 0, rows = 0, columns = 0;

  tensor::Index tokens() const { return text + frames * rows * columns; }
};

tensor::Matrix<double> mrope_positions(std::span<const MropeStretch>);

}  // namespace orrery::position
