// Ctrl+C and SIGTERM as a wish that long work looks at, instead of an end: what it has is saved first.
#pragma once

namespace orrery::cli {

/// While one lives, the first SIGINT, SIGTERM or SIGHUP is only noted. The second one ends the program as usual.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool came();
};

}  // namespace orrery::cli
