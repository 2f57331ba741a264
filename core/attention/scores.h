// Attention scores before the softmax.
//
//   x[t, n] = f_t · Σ_j q[t, j] k[n, j]        f_t = scale · ln(keys that t sees)/ln L, the second factor by log_n
//   s[t, n] = cap·tanh(x/cap) + bias[t, n]     without a cap: x + bias; −∞ where the mask or the padding hides key n,
//                                              which t then does not see
//
// Shapes     q: T × d, k: S × d, s and bias: T × S. The last query stands beside the last key (a cache of
//            S − T older keys). Masks: mask.h.
// Formats    cpu: stored in T (float, double), products and sums in double, rounded once. gpu: float
//            throughout.
// Edges      empty q or k (T = 0 or S = 0): nothing is written; d = 0 with T, S > 0: zeros (and the
//            bias and the mask).
//            NaN in a query: its row; NaN in a key: its column, except where hidden.
//            sliding with W < 1, a cap that is not above 0, log_n with L not above 1, padding of another length than S:
//            InvalidArgument.
// Units      scale: default 1/√d. Order of the steps: scale → log n → cap → bias → mask, as Gemma 2 has them.
// Bound      cpu: scores_bound(d). gpu: |s − ref| ≤ scores_gpu_bound(d) · (|f_t| Σ|q_j k_j| + |bias|) + 2⁻¹²⁶,
//            because a dot product in float may cancel to nothing; where that sum is beyond float's range a partial
//            sum may meet ∞ − ∞, and the gpu promises nothing.
// Stages     of the staged twin, as eager frameworks have them: inputs rounded to storage; each product and each sum
//            rounded to accumulate; the dot product stored; times f_t, which is rounded to accumulate, stored; divided by the cap, tanh, times the cap,
//            each stored; plus the bias, stored.
// Source     Vaswani et al., arXiv 1706.03762, eq. 1; log n: Su, kexue.fm/archives/8823, clipped as Qwen 1 does at
//            inference; cap: Gemma 2, arXiv 2408.00118; bias: Press et al. (ALiBi), arXiv 2108.12409.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "core/attention/mask.h"
#include "core/tensor/bound.h"
#include "core/tensor/precision.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}

namespace orrery::attention {

/// Scores grow with ln n, so that a query spreads its weight over a long context as it did over a short one.
struct LogN {
  double trained = 512;  ///< L, above 1
  bool clipped = false;  ///< never below 1: contexts up to L stay as they are

  double factor(tensor::Index keys_seen) const {
    const double f = keys_seen < 1 ? 0 : std::log(static_cast<double>(keys_seen)) / std::log(trained);
    return clipped && f < 1 ? 1 : f;
  }
};

struct ScoresParams {
  std::optional<double> scale = {};  ///< 1/√d when not given
  Mask mask = {};
  std::optional<double> cap = {};  ///< above 0
  std::optional<LogN> log_n = {};
  /// One flag a key, 0: padding, seen by nobody. Empty: no padding. Whoever sets it keeps it alive.
  std::span<const std::uint8_t> padding = {};

  bool allows(tensor::Index t, tensor::Index n, tensor::Index queries, tensor::Index keys) const {
    return mask.allows(t, n, queries, keys) && (padding.empty() || padding[static_cast<std::size_t>(n)] != 0);
  }
  /// How many keys query t sees: what is padding is none.
  tensor::Index seen(tensor::Index t, tensor::Index queries, tensor::Index keys) const;
  double capped(double x) const { return cap ? *cap * std::tanh(x / *cap) : x; }
};

/// Rounded once; row: products of floats are exact in double and their sum loses at most d·2⁻⁵³ of
/// Σ|q_j k_j|, which is taken to be at most 8d times the row's largest score (√d is usual; a row whose every
/// score cancels needs more room).
constexpr tensor::Bound scores_bound(tensor::Index d) {
  return {.abs = tensor::rounded_once.abs,
          .rel = tensor::rounded_once.rel,
          .nmse = tensor::rounded_once.nmse,
          .row = 0x1p-50 * static_cast<double>(d) * static_cast<double>(d)};
}

/// Relative to |f_t| Σ|q_j k_j| + |bias|, u = 2⁻²⁴, in the worst case: a product and its additions to the sum of 16 terms
/// min(d, 16) u, the compensated sum of these sums 2 u; scale, bias and store 4 u, the cap 6 u more.
double scores_gpu_bound(tensor::Index d);

/// Throws InvalidArgument for what the contract above refuses.
void check_scores(const ScoresParams&, tensor::Index keys);

/// What the dot products are multiplied by, before log n.
double scores_scale(const ScoresParams&, tensor::Index d);

/// f_t, of query t.
double score_factor(const ScoresParams&, tensor::Index t, tensor::Index queries, tensor::Index keys,
                    tensor::Index d);

/// `bias` may be empty in all of them.
void scores_ref(tensor::View<const double> q, tensor::View<const double> k, const ScoresParams&,
                tensor::View<double> s, tensor::View<const double> bias = {});

/// T is float or double.
template <class T>
void scores_cpu(tensor::View<const T> q, tensor::View<const T> k, const ScoresParams&, tensor::View<T> s,
                tensor::View<const T> bias = {});

void scores_gpu(gpu::Device&, tensor::View<const float> q, tensor::View<const float> k, const ScoresParams&,
                tensor::View<float> s, tensor::View<const float> bias = {});

void scores_staged(tensor::View<const double> q, tensor::View<const double> k, const ScoresParams&,
                   const tensor::Precision&, tensor::View<double> s, tensor::View<const double> bias = {});

}  // namespace orrery::attention
