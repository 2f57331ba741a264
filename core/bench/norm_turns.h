// The ways of a norm timed in turns, whatever clock counts and wherever they run.
#pragma once

#include <array>
#include <functional>

#include "core/bench/norm_speed.h"

namespace orrery::bench {

using NormWays = std::array<std::function<void()>, norm_ways>;  ///< in the order of NormWay

inline constexpr double timed_eps = 1e-5;
inline constexpr double flops_timed = 4e8;  ///< for a sample of multiply-adds

/// What says how fast multiply-adds are at most.
struct Arithmetic {
  std::function<void()> run;
  double flops;
};

/// Milliseconds of one run among several.
using Clock = std::function<double(const std::function<void()>&, int repeats)>;

/// Each way as often as fills a sample, once in every round, one after another. `between` is called between samples.
NormTimes in_turns(tensor::Index rows, tensor::Index width, int rounds, const NormWays&, const Arithmetic&,
                   const Clock&, const std::function<void()>& between);

}  // namespace orrery::bench
