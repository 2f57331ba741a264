// LayerNorm and RMSNorm timed in turns: fused, as passes, and beside them what limits both, a copy of x.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/tensor/view.h"

namespace orrery::bench {

enum class NormWay : std::uint8_t { copy, rms_fused, layer_fused, rms_passes, layer_passes };
inline constexpr int norm_ways = 5;

/// What a way moves and computes of x at least: bytes read and written, additions and multiplications.
///   fused        x in, y out. Sums 1 (RMSNorm: squares, 2; LayerNorm: mean 1, x − μ 1, squares 2), by the root 1, gain 1,
///                bias 1 (LayerNorm alone): 4 and 7 for each element
///   passes       the same arithmetic; every pass reads and writes (norm_passes.h)
struct NormWork {
  double bytes = 0, flops = 0;
};
NormWork norm_work(NormWay, tensor::Index rows, tensor::Index width);

struct NormTimes {
  tensor::Index rows = 0, width = 0;
  double gigaflops = 0;  ///< multiply-adds of all threads, two operations each
  std::vector<std::array<double, norm_ways>>
      rounds{};  ///< milliseconds; each way once in every round, one after another
};

/// Float, seeded normals, all threads. `between` is called between samples and may throw.
NormTimes measure_norms(tensor::Index rows, tensor::Index width, int rounds,
                        const std::function<void()>& between);
/// The same on the graphics device of this thread: on arrays that lie there, by the clock that device_and_clock() names.
/// Throws Failure where there is no device.
NormTimes measure_norms_on_device(tensor::Index rows, tensor::Index width, int rounds,
                                  const std::function<void()>& between);

}  // namespace orrery::bench
