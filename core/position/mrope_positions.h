// Where the tokens of a text with images and videos stand on the three axes of M-RoPE: time, row and column.
//
//   text         each token one further than the last, the same on all axes
//   an image     frame t, row r, column c of one that begins at p: (p + t, p + r, p + c), frame by frame, row by row
//   what follows begins one past the largest position so far: p + max(frames, rows, columns)
//
// Shapes     stretches of T tokens in all → y: 3 × T. These are the positions that rope takes with mrope_section.
// Formats    whole numbers below 2²⁴, which double and float hold: nothing is rounded. A framework that keeps positions in
//            16 bits rounds them: staged.
// Edges      no stretch, or only empty ones: 3 × 0. A negative size, more than 2²⁴ tokens: InvalidArgument.
// Bound      mrope_positions_bound: all twins give the same whole numbers.
// Source     Wang et al., "Qwen2-VL", arXiv 2409.12191, section 2.1; get_rope_index of Hugging Face's Qwen2-VL.
//            (Qwen2.5-VL multiplies frames by their seconds; Qwen3-VL puts text between frames.)
#pragma once

#include <span>
#include <vector>

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::position {

/// Text, or else frames × rows × columns of an image or a video; of both, the text stands first.
struct MropeStretch {
  tensor::Index text = 0;
  tensor::Index frames = 0, rows = 0, columns = 0;

  tensor::Index tokens() const { return text + frames * rows * columns; }
};

inline constexpr tensor::Index most_mrope_tokens = tensor::Index{1} << 24;

/// A whole number has no rounding: what stands here is room for none but the last bit of its float.
inline constexpr tensor::Bound mrope_positions_bound = tensor::rounded_once;

/// T. Throws InvalidArgument as said above.
tensor::Index mrope_tokens(std::span<const MropeStretch>);

void mrope_positions_ref(std::span<const MropeStretch>, tensor::View<double> y);

/// T is float or double.
template <class T>
void mrope_positions_cpu(std::span<const MropeStretch>, tensor::View<T> y);

void mrope_positions_gpu(gpu::Device&, std::span<const MropeStretch>, tensor::View<float> y);

/// By ref, as a matrix.
tensor::Matrix<double> mrope_positions(std::span<const MropeStretch>);

/// A run of tokens that are text, or one image, none of them empty: what the fast twins go by.
struct MropeRun {
  tensor::Index first = 0;              ///< its first token
  tensor::Index start = 0;              ///< the position where it begins
  tensor::Index rows = 0, columns = 0;  ///< of a frame; 0: text
};
std::vector<MropeRun> mrope_runs(std::span<const MropeStretch>);

/// Throws InvalidArgument where y is not 3 × T.
void check_mrope_shape(std::span<const MropeStretch>, tensor::Index rows, tensor::Index cols);

}  // namespace orrery::position
