#include "core/bench/device_benchmark.h"

#include <vector>

#include "core/bench/device_work.h"
#include "core/bench/statistics.h"
#include "core/tensor/error.h"

namespace orrery::bench {
namespace {

/// Sample by sample, what the dispatches of an op took together, and a reference beside them.
struct Samples {
  std::vector<double> op, reference;
  int dispatches = 0;

  void add(const DeviceWork& dispatch, const DeviceReference& copy, const DeviceClock& clock) {
    const DeviceWork work = [&] { copy(); };
    dispatch(), work();  // compiled, and pages touched
    const int op_repeats = repeats_for(clock.milliseconds(dispatch, 1)),
              copy_repeats = repeats_for(clock.milliseconds(work, 1));
    for (std::size_t i = 0; i < op.size(); ++i) {
      op[i] += clock.milliseconds(dispatch, op_repeats);
      reference[i] += clock.milliseconds(work, copy_repeats);
    }
    ++dispatches;
  }
};

}  // namespace

std::string device_and_clock() {
  return gpu::Device::of_this_thread().info().renderer + ", timed by " + DeviceClock::of_this_thread().name();
}

Result measure_on_device(const Case& c, const Options& options) {
  gpu::Device& device = gpu::Device::of_this_thread();
  const DeviceClock& clock = DeviceClock::of_this_thread();
  const DeviceReference reference(device, c);
  const auto count = static_cast<std::size_t>(options.samples);
  Samples samples{std::vector<double>(count, 0), std::vector<double>(count, 0)};
  each_dispatch(device, c.call, [&](const DeviceWork& dispatch) { samples.add(dispatch, reference, clock); });
  if (samples.dispatches == 0)
    throw Failure(
        about(Subject::Kind::op, c.op).fault("dispatches nothing on the gpu; nothing can be timed"));

  std::vector<double> ratio;
  for (std::size_t i = 0; i < count; ++i) {
    samples.reference[i] /= samples.dispatches;
    ratio.push_back(samples.reference[i] / samples.op[i]);
  }
  return {c.op,
          c.shape,
          c.device,
          median(samples.op),
          c.bytes(),
          c.flops,
          median(samples.reference),
          median(ratio),
          reference.name()};
}

}  // namespace orrery::bench
