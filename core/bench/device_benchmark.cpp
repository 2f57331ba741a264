#include "core/bench/device_benchmark.h"

#include <chrono>
#include <cmath>
#include <vector>

#include "core/bench/statistics.h"
#include "core/gpu/device.h"
#include "core/gpu/timer.h"
#include "core/tensor/error.h"

namespace orrery::bench {
namespace {

using Work = std::function<void()>;

double wall_milliseconds(gpu::Device& device, const Work& work) {
  device.finish();
  const auto start = std::chrono::steady_clock::now();
  work();
  device.finish();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Work repeated(const Work& work, int times) {
  return [&work, times] {
    for (int i = 0; i < times; ++i) work();
  };
}

/// A shader to compare with, on arrays of its own.
class Reference {
 public:
  Reference(gpu::Device& device, const Case& c) : device_(device) {
    if (c.arithmetic) {
      constexpr double each = 4096;  // as in multiply_adds.comp
      items_ = std::max<tensor::Index>(1, std::llround(c.flops / each));
      shader_ = "multiply_adds";
      to_ = gpu::Buffer(256 * sizeof(float));
    } else {
      items_ = std::max<tensor::Index>(1, std::llround(c.bytes / ((c.reads ? 2 : 1) * 4 * sizeof(float))));
      shader_ = "copy";
      if (!c.reads) defines_.emplace_back("WRITE");
      const auto bytes = static_cast<std::size_t>(items_) * 4 * sizeof(float);
      to_ = gpu::Buffer(bytes);
      if (c.reads) from_ = gpu::Buffer(std::vector<float>(bytes / sizeof(float), 1.0F));
    }
  }

  void operator()() const {
    const gpu::Program& program = device_.program(shader_, defines_);
    program.set("count", static_cast<unsigned>(items_));
    if (shader_ == "multiply_adds") {
      program.set("factor", 0.5F);
      const gpu::Buffer* const buffers[] = {&to_};
      device_.dispatch_elements(program, buffers, items_);
    } else {
      const gpu::Buffer* const buffers[] = {&from_, &to_};
      device_.dispatch_elements(program, buffers, items_);
    }
  }

  std::string name() const {
    if (shader_ == "multiply_adds") return "multiply-add shader";
    return defines_.empty() ? "copy shader" : "write shader";
  }

 private:
  gpu::Device& device_;
  std::string shader_;
  std::vector<std::string> defines_;
  tensor::Index items_ = 0;
  gpu::Buffer from_, to_;
};

/// Whether the device's clock agrees with the wall's on work long enough for both.
bool device_clock_is_true(gpu::Device& device) {
  Case copies;
  copies.bytes = 2.0 * sizeof(float) * (1 << 20);
  const Reference copy(device, copies);
  const Work work = [&] { copy(); };
  work();
  const double once = wall_milliseconds(device, work);
  const Work longer = repeated(work, 5 * repeats_for(once));
  double by_device = 0;
  const double by_wall = wall_milliseconds(device, [&] { by_device = gpu::device_milliseconds(longer); });
  return by_device > 0.8 * by_wall && by_device < 1.05 * by_wall;
}

class DeviceClock {
 public:
  explicit DeviceClock(gpu::Device& device) : device_(device), by_device_(device_clock_is_true(device)) {}

  bool by_device() const { return by_device_; }
  /// Of one run among several.
  double milliseconds(const Work& work, int repeats) const {
    const Work all = repeated(work, repeats);
    return (by_device_ ? gpu::device_milliseconds(all) : wall_milliseconds(device_, all)) / repeats;
  }

 private:
  gpu::Device& device_;
  bool by_device_;
};

const DeviceClock& clock_of_this_thread() {
  thread_local const DeviceClock clock(gpu::Device::of_this_thread());
  return clock;
}

/// Sample by sample, what the dispatches of an op took together, and a reference beside them.
struct Samples {
  std::vector<double> op, reference;
  int dispatches = 0;

  void add(const Work& dispatch, const Reference& copy, const DeviceClock& clock) {
    const Work work = [&] { copy(); };
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
  return gpu::Device::of_this_thread().info().renderer +
         (clock_of_this_thread().by_device() ? ", timed by its own clock" : ", timed by the wall's clock");
}

Result measure_on_device(const Case& c, const Options& options) {
  gpu::Device& device = gpu::Device::of_this_thread();
  const DeviceClock& clock = clock_of_this_thread();
  const Reference reference(device, c);
  const auto count = static_cast<std::size_t>(options.samples);
  Samples samples{std::vector<double>(count, 0), std::vector<double>(count, 0)};
  {
    const gpu::Device::Probe probe(device,
                                   [&](const Work& dispatch) { samples.add(dispatch, reference, clock); });
    c.call();
  }
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
          c.bytes,
          c.flops,
          median(samples.reference),
          median(ratio),
          reference.name()};
}

}  // namespace orrery::bench
