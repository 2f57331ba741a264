// Being asked to end from outside: by `kill`, by a desktop that logs out, by Ctrl+C in the terminal or by its being closed.
#pragma once

#include <functional>
#include <thread>

namespace orrery::gui {

class EndSignals {
 public:
  /// Listens to SIGTERM, SIGINT and SIGHUP, except to those that whoever started the program told it to ignore (nohup).
  /// `wake` is called from another thread. One of these in a program at a time.
  explicit EndSignals(std::function<void()> wake);
  /// Puts back what was there.
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  bool asked() const;

 private:
  int out_ = -1;  // the end of the pipe that is read
  std::jthread listener_;
};

}  // namespace orrery::gui
