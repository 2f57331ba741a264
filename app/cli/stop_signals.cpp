#include "app/cli/stop_signals.h"

#include <signal.h>

#include <array>
#include <atomic>

namespace orrery::cli {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};  // what a key sends is the first
std::array<struct sigaction, signals.size()> before;
std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// Only a key that is pressed twice is a person who means it. Programs say one wish several times: `timeout` and a cluster tell
/// a whole group, in which a sweep tells its trainings too, and these hear it once more when the sweep ends (begin_program.h);
/// of a terminal that closes, the system tells and then the shell. Who wants such a one gone at once has SIGKILL.
extern "C" void on_stop(int signal) {
  stop = true;
  if (signal == SIGINT) ::sigaction(SIGINT, &before[0], nullptr);
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
