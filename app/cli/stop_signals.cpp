#include "app/cli/stop_signals.h"

#include <signal.h>

#include <array>
#include <atomic>

namespace orrery::cli {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, signals.size()> before;
std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_stop(int) {
  stop = true;
  // From now on as it was: who asks twice means it.
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  stop = false;
  struct sigaction ours {};
  ours.sa_handler = on_stop;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &before[i]);
    // What a caller ignores (nohup) stays ignored.
    if (before[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &ours, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
}

bool StopSignals::came() {
  return stop;
}

}  // namespace orrery::cli
