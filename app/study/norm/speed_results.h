// What was measured of the norms' speed, as one line of text that a recipe keeps.
#pragma once

#include <string>
#include <string_view>

#include "core/bench/norm_speed.h"

namespace orrery::study {

struct SpeedResults {
  /// "AMD EPYC, 2 threads, 2026-11-23", "llvmpipe (LLVM 15.0.6 256 bits), wall clock, 2026-11-23"
  std::string where;
  bench::NormTimes times;
};

/// "AMD EPYC, 2 threads, 2026-11-23; 4096x4096; 61.2 Gflop/s; 4.71 3.02 3.20 9.8 17.1; …": one entry for each round, the
/// milliseconds of a copy, RMSNorm and LayerNorm fused, the same in passes.
std::string text_of(const SpeedResults&);
/// Throws InvalidArgument that names the parameter `results`.
SpeedResults speed_results(std::string_view text);

/// Those that came with the program, made by `./dev measure`.
SpeedResults shipped_speed(tensor::Index rows, tensor::Index width);
/// So often `between` is called: in nine rounds, after a first.
inline constexpr int speed_samples = 10 * bench::norm_ways;

/// On this processor, now.
SpeedResults measured_speed(tensor::Index rows, tensor::Index width, const std::function<void()>& between);
/// On this thread's graphics device, now. Throws Failure where there is none.
SpeedResults measured_speed_on_device(tensor::Index rows, tensor::Index width,
                                      const std::function<void()>& between);

}  // namespace orrery::study
