// Softmax and the mean of values in one pass over tiles of keys, as fused attention kernels have it: nothing of a row is
// kept but a maximum, a sum and one vector.
//
//   of a tile        m = max s_n      l = Σ e^(s_n − m)      o = Σ e^(s_n − m) v_n
//   of two parts     m = max(m₁, m₂)  l = c₁ l₁ + c₂ l₂      o = c₁ o₁ + c₂ o₂,     c_i = e^(m_i − m)
//   in the end       attention's result is o / l, its log-sum-exp m + ln l
//
// Shapes     scores: S; values: S × e; o: e. In double.
// Edges      a part without a key that is seen (no key at all, or −∞ everywhere) has m = −∞ and l = 0, and changes nothing that
//            it is merged with; its own result is 0, as softmax's is.
// Error      every exponential is of a number not above 0: nothing overflows. A key's weight goes through as many corrections as
//            there are tiles behind it, each off by 2⁻⁵² of itself, and of (m_i − m) 2⁻⁵³ in its exponent.
// Source     Milakov, Gimelshein 2018, arXiv 1805.02867 (the running sum); Dao et al. 2022, arXiv 2205.14135 (with the output,
//            by tiles, and the bytes that it saves).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::attention {

/// What is kept of the keys that were seen so far.
struct OnlineSoftmax {
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0;
  std::vector<double> output;  ///< not divided by the sum yet

  std::vector<double> result() const;
  double log_sum_exp() const;
};

/// `values` has a row for each score.
OnlineSoftmax online_softmax(std::span<const double> scores, tensor::View<const double> values);
OnlineSoftmax merged(const OnlineSoftmax&, const OnlineSoftmax&);
/// e^(old − max): what all that was summed up to the maximum `old` is multiplied by. 1 where there was nothing.
double online_correction(double old, double max);

/// How many numbers of one head go between the slow memory and the fast one, forward, N tokens of width d.
///
///   standard   4 N² + 4 N d             scores written and read, weights written and read; q, k, v read, the result written
///   tiled      2 N d + T (3 N d + 4 N)  for each of the T = ⌈N / ⌈M / 4d⌉⌉ tiles of keys and values: q read, the result, the
///                                       maxima and the sums read and written. M: numbers that the fast memory holds
///
/// The two algorithms are numbers 0 and 1 of arXiv 2205.14135; later versions of the second turn its loops about.
double standard_attention_traffic(double tokens, double width);
double tiled_attention_traffic(double tokens, double width, double fast_memory);
/// Keys that a tile of the second holds.
double attention_tile(double width, double fast_memory);

}  // namespace orrery::attention
