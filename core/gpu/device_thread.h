// A thread with a graphics device of its own, for those who must not have a context on theirs: a window's thread has another.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace orrery::gpu {

class Device;

class DeviceThread {
 public:
  using Work = std::function<void(Device&)>;

  DeviceThread() = default;
  DeviceThread(const DeviceThread&) = delete;
  DeviceThread& operator=(const DeviceThread&) = delete;
  ~DeviceThread();

  /// Waits until it is done, and throws what it throws; Failure where there is no device. From any thread, one after another.
  void run(const Work&);

 private:
  void serve(const std::stop_token&);

  std::mutex turn_;   // whose work it is
  std::mutex mutex_;  // of what follows
  std::condition_variable_any wanted_, done_;
  const Work* work_ = nullptr;
  std::exception_ptr thrown_;
  std::jthread thread_;  // begins with the first work
};

}  // namespace orrery::gpu
