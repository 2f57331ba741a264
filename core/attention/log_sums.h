// Of stretches of rows of products: the largest, and the sum of the exponentials beside it. A softmax of any length is put
// together from these, stretch by stretch.
//
//   x_rn = q_r · k_n,   largest = max_n x_rn,   sum = Σ_n e^{s (x_rn − largest)}       n: of the stretch, seen by the row
//
// Shapes   q: R × d, k: K × d, floats; a range of seen keys for each row; stretches of keys in ascending order, which may be of
//          different lengths; found: R × stretches, row-major
// Edges    nothing seen: −∞ and 0; a product that is no number: NaN and NaN, of its stretch alone
// Bound    a product is off by scores_gpu_bound(d) Σ|q_j k_j| at most, an exponential by 2⁻²⁴ (3 |s (x − largest)| + 4) of
//          itself, and the sum by 2⁻²¹ of itself besides: it is compensated
// Source   Milakov, Gimelshein 2018, arXiv 1805.02867
#pragma once

#include <span>

#include "core/attention/mask.h"
#include "core/tensor/view.h"

namespace orrery::gpu {
class Device;
}  // namespace orrery::gpu

namespace orrery::attention {

struct LogSum {
  float largest = 0;
  double sum = 0;
};

/// One tile of keys.
struct LogSumTile {
  tensor::View<const float> q, k;
  std::span<const KeyRange> seen, stretches;  ///< keys are counted from the tile's first one
  double scale = 1;                           ///< s ≥ 0
};

/// Keys of a tile that the graphics device takes at most.
inline constexpr tensor::Index most_log_sum_keys = 4096;

/// Throws Failure for a tile of more keys.
void log_sums_gpu(gpu::Device&, const LogSumTile&, std::span<LogSum> found);

}  // namespace orrery::attention
