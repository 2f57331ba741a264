#include "app/study/attention/background_work.h"

#include <utility>

namespace orrery::study {

BackgroundWork::~BackgroundWork() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  now_.request_stop();
}

void BackgroundWork::ask(Work work) {
  {
    const std::lock_guard lock(mutex_);
    now_.request_stop();
    next_ = std::move(work);
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  wanted_.notify_one();
}

bool BackgroundWork::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || next_;
}

void BackgroundWork::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wanted_.wait(lock, stop, [this] { return static_cast<bool>(next_); })) {
    if (stop.stop_requested()) return;
    const Work work = std::exchange(next_, {});
    now_ = std::stop_source();
    const std::stop_token leave = now_.get_token();
    working_ = true;
    lock.unlock();
    try {
      work(leave);
    } catch (const Left&) {  // something else is wanted, or nothing any more
    }
    lock.lock();
    working_ = false;
  }
}

}  // namespace orrery::study
