#include "core/file/undisturbed.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>

namespace orrery::file {
namespace {

// How many are undisturbed, and above their number that of the signal that waits for them: one word, so that none of them can
// end between a look at the one and a change of the other.
std::atomic<unsigned> undisturbed = 0;
constexpr unsigned one_signal = 1u << 16;
std::atomic<void (*)()> last_call = nullptr;
std::atomic<std::time_t> noted_at = 0;
constexpr std::time_t patience = 3;  // seconds
static_assert(std::atomic<unsigned>::is_always_lock_free && std::atomic<void (*)()>::is_always_lock_free);

/// Of a clock that nobody sets.
std::time_t seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

[[noreturn]] void end_at_once_by(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t this_one;
  ::sigemptyset(&this_one);
  ::sigaddset(&this_one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);  // the first process of a container does not end by a signal
}

[[noreturn]] void end_by(int signal) {
  if (void (*const last)() = last_call) last();
  end_at_once_by(signal);
}

extern "C" void on_end(int signal) {
  const int error = errno;
  unsigned now = undisturbed;
  do {
    if (now < one_signal) {
      noted_at = seconds();
      continue;
    }
    // One that came before ends the program. But a disk that does not answer is not waited for by who presses a key again.
    if (signal == SIGINT && seconds() - noted_at >= patience) end_at_once_by(signal);
    errno = error;
    return;
  } while (!undisturbed.compare_exchange_weak(now, now + static_cast<unsigned>(signal) * one_signal));
  if (now == 0) end_by(signal);
  errno = error;
}

}  // namespace

Undisturbed::Undisturbed() {
  unsigned now = undisturbed;
  do {
    while (now >= one_signal) ::pause();
  } while (!undisturbed.compare_exchange_weak(now, now + 1));
}

Undisturbed::~Undisturbed() {
  const unsigned now = undisturbed.fetch_sub(1) - 1;
  if (now >= one_signal && now % one_signal == 0) end_by(static_cast<int>(now / one_signal));
}

void before_signals_end(void (*last)()) {
  last_call = last;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = on_end;
    ours.sa_flags = SA_RESTART;  // who is told of one that is only noted goes on
    ::sigaction(signal, &ours, nullptr);
  }
}

void end_program(int code) {
  const std::time_t asked_at = seconds();
  constexpr unsigned no_more = SIGTERM * one_signal;
  noted_at = asked_at;
  for (unsigned none = 0; !undisturbed.compare_exchange_strong(none, no_more); none = 0) {
    // Files that wait for their names may need what is beside.
    if (seconds() - asked_at >= patience) ::_exit(code);
    ::usleep(1000);
  }
  if (void (*const last)() = last_call) last();
  ::_exit(code);
}

}  // namespace orrery::file
