// Rotary position embedding.
//
//   pair (a, b) of a row at position m, turned by m θ_i:   y_a = c x_a − s x_b,   y_b = s x_a + c x_b
//   with c = A cos(m θ_i), s = A sin(m θ_i); A is the attention factor (1 unless a rule says otherwise)
//   interleaved: pair i is (2i, 2i+1)        half: pair i is (i, i + R/2), R the rotary width
//   counted from column `first`: 0 for most models; D − R where a head's last columns turn, as in multi-head
//   latent attention, whose queries and keys are [what stands still | what turns]
//
// Shapes     x, y: (G·T) × D, G groups of T tokens (batch × heads); table: T × R/2; R = 2·table.pairs ≤
//            D. Columns before `first` and from first + R on are copied unchanged.
// Formats    angles m θ_i are formed and reduced in double (RopeTable); the rotation is done in T. An
//            angle carries the rounding of its product, |m θ_i|·2⁻⁵³: 1.5e-11 rad at m = 131072,
//            1.1e-10 at a million. In float the same product would be wrong by 8e-3 and 0.06.
// Edges      odd R, first + R > D, rows that are no multiple of T: InvalidArgument. Empty x: nothing is
//            written.
//            NaN in a pair stays in that pair. y may be x.
// Bound      rope_bound (cpu) and rope_gpu_bound, against rope_ref on the same inputs and the same
//            table rounded to float; see there for their origin.
// Source     Su et al., "RoFormer", arXiv 2104.09864, eq. 34 (interleaved); GPT-NeoX and Hugging Face
//            (half).
#pragma once

#include <span>
#include <vector>

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::position {

enum class RopeLayout { interleaved, half };

/// cos and sin of every (position, pair), the attention factor multiplied in. Both fast twins get the same
/// table.
struct RopeTable {
  tensor::Matrix<double> cos, sin;  ///< T × pairs

  tensor::Index tokens() const { return cos.rows(); }
  tensor::Index pairs() const { return cos.cols(); }
};

/// Two products and a sum in float: u(|c x_a| + |s x_b|) + u|y|, u = 2⁻²⁴. By Cauchy and Schwarz the first is
/// at most u times the length of the pair, which rotation keeps, so at most √2·u of the row's largest result.
/// Second-order terms: 2⁻⁸ of a unit.
inline constexpr tensor::Bound rope_bound{
    .abs = 0x1p-148, .rel = 0x1.01p-24, .nmse = 0x1p-46, .row = 0x1.6bp-24};
/// The same arithmetic; products below the normal range may be flushed to zero.
inline constexpr tensor::Bound rope_gpu_bound{
    .abs = 0x1p-125, .rel = 0x1.01p-24, .nmse = 0x1p-46, .row = 0x1.6bp-24};

/// Throws InvalidArgument unless a table of tokens × pairs can turn x of rows × cols from column `first` on.
void check_rope_shapes(tensor::Index rows, tensor::Index cols, tensor::Index tokens, tensor::Index pairs,
                       tensor::Index first = 0);

/// θ_i = base^(−2i/R), i = 0 … R/2 − 1, in radians per token. Throws InvalidArgument for an odd or negative
/// R.
std::vector<double> rope_default_frequencies(tensor::Index rotary_dim, double base);

RopeTable rope_table(std::span<const double> positions, std::span<const double> inv_freq,
                     double attention_factor = 1);

void rope_ref(tensor::View<const double> x, const RopeTable&, RopeLayout, tensor::View<double> y,
              tensor::Index first = 0);

/// T is float or double.
template <class T>
void rope_cpu(tensor::View<const T> x, tensor::View<const T> cos, tensor::View<const T> sin, RopeLayout,
              tensor::View<T> y, tensor::Index first = 0);

void rope_gpu(gpu::Device&, tensor::View<const float> x, tensor::View<const float> cos,
              tensor::View<const float> sin, RopeLayout, tensor::View<float> y, tensor::Index first = 0);

}  // namespace orrery::position
