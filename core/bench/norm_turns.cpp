#include "core/bench/norm_turns.h"

#include <vector>

#include "core/bench/statistics.h"

namespace orrery::bench {

NormTimes in_turns(tensor::Index rows, tensor::Index width, int rounds, const NormWays& ways,
                   const Arithmetic& arithmetic, const Clock& clock, const std::function<void()>& between) {
  std::array<int, norm_ways> repeats{};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    between();
    ways[i]();  // pages touched, code paged in, frequency up
    repeats[i] = repeats_for(clock(ways[i], 1));
  }
  arithmetic.run();
  NormTimes times{rows, width, 0, {}};
  std::vector<double> of_arithmetic;
  for (int r = 0; r < rounds; ++r) {
    auto& round = times.rounds.emplace_back();
    for (std::size_t i = 0; i < ways.size(); ++i) {
      between();
      round[i] = clock(ways[i], repeats[i]);
    }
    of_arithmetic.push_back(clock(arithmetic.run, 1));
  }
  times.gigaflops = arithmetic.flops / median(of_arithmetic) * 1e-6;
  return times;
}

}  // namespace orrery::bench
