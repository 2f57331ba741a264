#include "core/file/end_signals.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace orrery::file {
namespace {

// How many are undisturbed, and above their number that of the signal that waits for them: one word, so that none of them can
// end between a look at the one and a change of the other.
std::atomic<unsigned> undisturbed = 0;
constexpr unsigned one_signal = 1u << 16;
std::atomic<void (*)()> last_call = nullptr;
static_assert(std::atomic<unsigned>::is_always_lock_free && std::atomic<void (*)()>::is_always_lock_free);

[[noreturn]] void end_by(int signal) {
  if (void (*const last)() = last_call) last();
  ::signal(signal, SIG_DFL);
  sigset_t this_one;
  ::sigemptyset(&this_one);
  ::sigaddset(&this_one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);  // the first process of a container does not end by a signal
}

extern "C" void on_end(int signal) {
  unsigned now = undisturbed;
  do {
    if (now >= one_signal) return;  // one that came before ends the program
  } while (!undisturbed.compare_exchange_weak(now, now + static_cast<unsigned>(signal) * one_signal));
  if (now == 0) end_by(signal);
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
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = on_end;
    ours.sa_flags = SA_RESTART;  // who is told of one that is only noted goes on
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace orrery::file
