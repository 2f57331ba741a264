// A reader that leaves a pipe.
#pragma once

#include <signal.h>

#include <cerrno>
#include <ctime>

namespace orrery::file {

/// As long as it lives, a write of this thread into a pipe that nobody reads is an error, EPIPE, and no signal that would end
/// the program without a word.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t waiting;
    ::sigpending(&waiting);
    waited_ = ::sigismember(&waiting, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    // One of ours still waits for this thread; one that waited before is somebody else's.
    const timespec at_once{};
    while (!waited_ && ::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
  bool waited_ = false;
};

}  // namespace orrery::file
