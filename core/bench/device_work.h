// What is timed on the graphics device: work that dispatches on arrays which lie there, by a clock that is believed, beside
// shaders that say what the device can do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/bench/benchmark.h"
#include "core/gpu/device.h"

namespace orrery::bench {

using DeviceWork = std::function<void()>;

/// A shader that copies (or writes) as many bytes as a case moves, or does as many multiply-adds, on arrays of its own.
class DeviceReference {
 public:
  DeviceReference(gpu::Device&, const Case&);

  void operator()() const;
  std::string name() const;  ///< "copy shader"

 private:
  gpu::Device& device_;
  std::string shader_;
  std::vector<std::string> defines_;
  tensor::Index items_ = 0;
  gpu::Buffer from_, to_;
};

/// The device's own clock where that agrees with the wall's, else the wall's.
class DeviceClock {
 public:
  explicit DeviceClock(gpu::Device&);
  static const DeviceClock& of_this_thread();  ///< for Device::of_this_thread(), tried once

  bool by_device() const { return by_device_; }
  std::string name() const { return by_device_ ? "its own clock" : "the wall's clock"; }
  /// Of one run among several.
  double milliseconds(const DeviceWork&, int repeats) const;

 private:
  gpu::Device& device_;
  bool by_device_;
};

/// What `call` dispatches, as a function that repeats it: alive only while `see` is. Once for each dispatch.
void each_dispatch(gpu::Device&, const std::function<void()>& call,
                   const std::function<void(const DeviceWork&)>& see);

}  // namespace orrery::bench
