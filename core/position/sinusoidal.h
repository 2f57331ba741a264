// Sinusoidal position table.
//
//   paper:                      y[p, 2i] = sin(p ω_i), y[p, 2i+1] = cos(p ω_i),      ω_i = base^(−2i/D)
//   tensor2tensor (and fairseq): y[p, i] = sin(p ω_i), y[p, D/2 + i] = cos(p ω_i), ω_i = base^(−i/(D/2−1))
//
// Shapes     y: L × D, D even; row r is position offset + r (fairseq's own tables start at padding_idx
//            + 1: say offset).
// Formats    every angle is formed and reduced in double; only the result is rounded to T.
//            cpu, float: sin and cos at every 4096th row (in small tables at every 1024th); the rows
//            between turn the pair on through ω_i, in double (4096 turns lose 2⁻³⁹).
// Edges      L = 0 or D = 0: nothing is written. D odd: InvalidArgument. D = 2 in tensor2tensor's rule:
//            ω_0 = 1.
// Bound      sinusoidal_bound, against sinusoidal_ref up to position 131072; well within 2e-7 of exact
//            there.
// Source     Vaswani et al., "Attention is all you need", arXiv 1706.03762, section 3.5;
//            tensor2tensor's get_timing_signal_1d for the second rule.
#pragma once

#include <vector>

#include "core/tensor/bound.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::position {

enum class SinusoidalLayout { paper, tensor2tensor, fairseq };

struct SinusoidalParams {
  double base = 10000;
  SinusoidalLayout layout = SinusoidalLayout::paper;
  double offset = 0;  ///< position of the first row, in tokens
};

/// Rounded once; abs: p ω is rounded to 53 bits, so sin and cos may differ by p·2⁻⁵³ from one way of forming
/// the angle to another: 2⁻³⁶ at p = 131072, and as much again for the turns between.
inline constexpr tensor::Bound sinusoidal_bound{
    .abs = 0x1p-35, .rel = tensor::rounded_once.rel, .nmse = tensor::rounded_once.nmse};

/// ω_i, i = 0 … D/2 − 1, in radians per token.
std::vector<double> sinusoidal_frequencies(tensor::Index dim, const SinusoidalParams&);

void sinusoidal_ref(const SinusoidalParams&, tensor::View<double> y);

/// T is float or double.
template <class T>
void sinusoidal_cpu(const SinusoidalParams&, tensor::View<T> y);

void sinusoidal_gpu(gpu::Device&, const SinusoidalParams&, tensor::View<float> y);

}  // namespace orrery::position
