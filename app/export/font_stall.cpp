#include "app/export/font_stall.h"

#include <signal.h>

#include <ctime>
#include <utility>

#include "app/export/font_lock.h"

namespace orrery::exporter {
namespace {

using std::chrono::nanoseconds;

/// Of all threads together.
nanoseconds computed() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

/// Signals are for the threads that were there before.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

FontStallWatch::FontStallWatch(std::chrono::milliseconds patience, std::function<void()> give_up)
    : give_up_(std::move(give_up)) {
  const SignalsHeld held;
  thread_ = std::thread([this, patience] { watch(patience); });
}

FontStallWatch::~FontStallWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void FontStallWatch::watch(std::chrono::milliseconds patience) {
  constexpr int looks = 8;
  constexpr auto of_a_look = std::chrono::milliseconds(1);  // what looking itself may take
  std::unique_lock lock(mutex_);
  int idle = 0;
  for (nanoseconds before = computed();
       !over_.wait_for(lock, patience / looks, [this] { return is_over_; });) {
    const nanoseconds now = computed();
    idle = FontLock::is_held() && now - before < of_a_look ? idle + 1 : 0;
    before = now;
    if (idle < looks) continue;
    lock.unlock();
    give_up_();
    return;
  }
}

}  // namespace orrery::exporter
