#include "core/bench/device_work.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/bench/statistics.h"
#include "core/gpu/timer.h"

namespace orrery::bench {
namespace {

double wall_milliseconds(gpu::Device& device, const DeviceWork& work) {
  device.finish();
  const auto start = std::chrono::steady_clock::now();
  work();
  device.finish();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

DeviceWork repeated(const DeviceWork& work, int times) {
  return [&work, times] {
    for (int i = 0; i < times; ++i) work();
  };
}

/// Whether the device's clock agrees with the wall's on work long enough for both.
bool device_clock_is_true(gpu::Device& device) {
  Case copies;
  copies.read = copies.written = sizeof(float) * (1 << 20);
  const DeviceReference copy(device, copies);
  const DeviceWork work = [&] { copy(); };
  work();
  const double once = wall_milliseconds(device, work);
  const DeviceWork longer = repeated(work, 5 * repeats_for(once));
  double by_device = 0;
  const double by_wall = wall_milliseconds(device, [&] { by_device = gpu::device_milliseconds(longer); });
  return by_device > 0.8 * by_wall && by_device < 1.05 * by_wall;
}

}  // namespace

DeviceReference::DeviceReference(gpu::Device& device, const Case& c) : device_(device) {
  if (c.arithmetic) {
    constexpr double each = 4096;  // as in multiply_adds.comp
    items_ = std::max<tensor::Index>(1, std::llround(c.flops / each));
    shader_ = "multiply_adds";
    to_ = gpu::Buffer(256 * sizeof(float));
  } else {
    items_ = std::max<tensor::Index>(1, std::llround(c.bytes() / ((c.reads() ? 2 : 1) * 4 * sizeof(float))));
    shader_ = "copy";
    if (!c.reads()) defines_.emplace_back("WRITE");
    const auto bytes = static_cast<std::size_t>(items_) * 4 * sizeof(float);
    to_ = gpu::Buffer(bytes);
    if (c.reads()) from_ = gpu::Buffer(std::vector<float>(bytes / sizeof(float), 1.0F));
  }
}

void DeviceReference::operator()() const {
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

std::string DeviceReference::name() const {
  if (shader_ == "multiply_adds") return "multiply-add shader";
  return defines_.empty() ? "copy shader" : "write shader";
}

DeviceClock::DeviceClock(gpu::Device& device) : device_(device), by_device_(device_clock_is_true(device)) {}

const DeviceClock& DeviceClock::of_this_thread() {
  thread_local const DeviceClock clock(gpu::Device::of_this_thread());
  return clock;
}

double DeviceClock::milliseconds(const DeviceWork& work, int repeats) const {
  const DeviceWork all = repeated(work, repeats);
  return (by_device_ ? gpu::device_milliseconds(all) : wall_milliseconds(device_, all)) / repeats;
}

void each_dispatch(gpu::Device& device, const std::function<void()>& call,
                   const std::function<void(const DeviceWork&)>& see) {
  const gpu::Device::Probe probe(device, see);
  call();
}

}  // namespace orrery::bench
