#include "core/bench/limits.h"

#include <vector>

#include "core/bench/arithmetic.h"
#include "core/bench/device_work.h"
#include "core/bench/memory.h"
#include "core/bench/statistics.h"

namespace orrery::bench {
namespace {

constexpr std::ptrdiff_t copied = std::ptrdiff_t{1} << 24;  // floats: far past the caches
constexpr double copied_bytes = 2.0 * sizeof(float) * static_cast<double>(copied), operations = 4e8;

/// What is timed, and how.
struct Timed {
  std::function<void()> copy, arithmetic;
  std::function<double(const std::function<void()>&, int repeats)> clock;
};

Limits in_turns(const Timed& timed, const std::function<void()>& between) {
  timed.copy();  // pages touched, code paged in, frequency up
  timed.arithmetic();
  const int copies = repeats_for(timed.clock(timed.copy, 1)),
            sums = repeats_for(timed.clock(timed.arithmetic, 1));
  std::vector<double> of_copy, of_arithmetic;
  for (int r = 0; r < limit_rounds; ++r) {
    between();
    of_copy.push_back(timed.clock(timed.copy, copies));
    between();
    of_arithmetic.push_back(timed.clock(timed.arithmetic, sums));
  }
  return {copied_bytes / median(of_copy) * 1e-6, operations / median(of_arithmetic) * 1e-6};
}

}  // namespace

Limits measure_limits(const std::function<void()>& between) {
  const AlignedFloats from(copied, 1), to(copied);
  return in_turns({[&] { move_floats(from.data(), copied, to.data(), copied, true); },
                   [] { multiply_adds(operations); }, milliseconds},
                  between);
}

Limits measure_limits_on_device(const std::function<void()>& between) {
  gpu::Device& device = gpu::Device::of_this_thread();
  const DeviceClock& clock = DeviceClock::of_this_thread();
  Case moves, computes;
  moves.read = moves.written = copied_bytes / 2;
  computes.arithmetic = true;
  computes.flops = operations;
  const DeviceReference copy(device, moves), arithmetic(device, computes);
  return in_turns(
      {[&] { copy(); }, [&] { arithmetic(); },
       [&](const std::function<void()>& work, int repeats) { return clock.milliseconds(work, repeats); }},
      between);
}

}  // namespace orrery::bench
