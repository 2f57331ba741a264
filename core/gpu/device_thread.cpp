#include "core/gpu/device_thread.h"

#include <utility>

#include "core/gpu/device.h"

namespace orrery::gpu {

DeviceThread::~DeviceThread() {
  thread_.request_stop();
}

void DeviceThread::run(const Work& work) {
  const std::lock_guard turn(turn_);
  std::unique_lock lock(mutex_);
  work_ = &work;
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  wanted_.notify_one();
  done_.wait(lock, [this] { return work_ == nullptr; });
  if (std::exception_ptr thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
}

void DeviceThread::serve(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wanted_.wait(lock, stop, [this] { return work_ != nullptr; })) {
    lock.unlock();
    std::exception_ptr thrown;
    try {
      (*work_)(Device::of_this_thread());
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    thrown_ = thrown;
    work_ = nullptr;
    done_.notify_one();
  }
}

}  // namespace orrery::gpu
