#include "app/gui/end_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

namespace orrery::gui {
namespace {

constexpr std::array<int, 3> signals{SIGTERM, SIGINT, SIGHUP};
constexpr std::size_t of_a_key = 1;

// A handler may touch little more than these.
std::atomic<bool> end_asked = false;
std::atomic<int> pipe_in = -1;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::array<struct sigaction, signals.size()> before_ours;

/// Waking a window takes locks, which a handler must not: it tells the listener, who may.
void tell(char what) {
  const int saved = errno;
  while (::write(pipe_in, &what, 1) < 0 && errno == EINTR) continue;
  errno = saved;
}

constexpr char asked_to_end = 'e', stop_listening = 's';

/// Whoever presses Ctrl+C twice does not want to wait: the second one does what it did before there was a window. `timeout` and
/// session managers send the others twice as a rule.
extern "C" void on_end_signal(int signal) {
  end_asked = true;
  if (signal == SIGINT) ::sigaction(SIGINT, &before_ours[of_a_key], nullptr);
  tell(asked_to_end);
}

void listen(int out, const std::function<void()>& wake) {
  char what = 0;
  for (;;) {
    const ssize_t got = ::read(out, &what, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || what == stop_listening) return;
    if (wake) wake();
  }
}

}  // namespace

EndSignals::EndSignals(std::function<void()> wake) {
  end_asked = false;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;  // then they end the program, as they do any other
  out_ = ends[0];
  pipe_in = ends[1];
  ::fcntl(pipe_in, F_SETFL, O_NONBLOCK);  // a flood of signals must not hold the thread it interrupts
  listener_ = std::jthread([out = out_, wake = std::move(wake)] { listen(out, wake); });
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &before_ours[i]);
    if (before_ours[i].sa_handler == SIG_IGN) continue;
    struct sigaction ours {};
    ours.sa_handler = on_end_signal;
    ours.sa_flags = SA_RESTART;
    ::sigaction(signals[i], &ours, nullptr);
  }
}

EndSignals::~EndSignals() {
  if (out_ < 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_ours[i], nullptr);
  ::fcntl(pipe_in, F_SETFL, 0);
  tell(stop_listening);
  listener_.join();
  ::close(pipe_in.exchange(-1));
  ::close(out_);
}

bool EndSignals::asked() const {
  return end_asked;
}

}  // namespace orrery::gui
