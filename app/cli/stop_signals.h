// Ctrl+C and SIGTERM as a wish that long work looks at, instead of an end: what it has is saved first.
#pragma once

namespace orrery::cli {

/// While one lives, SIGTERM and SIGHUP are only noted, however many come, and so is the first SIGINT. The second SIGINT ends
/// the program as usual: a person pressed Ctrl+C again. A sweep that ends so leaves its trainings, which are groups of their
/// own and only hear SIGTERM then: they live on until they have saved.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool came();
};

}  // namespace orrery::cli
