// Where a long loop can be ended by whoever waits for it.
#pragma once

#include <functional>

namespace orrery::tensor {

/// While it lives, `check` is called at every interruption point that its own thread comes by; what it throws ends the loop,
/// whose result is then worth nothing. The newest one counts.
class Interruptible {
 public:
  explicit Interruptible(std::function<void()> check);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  std::function<void()> check_;
  const std::function<void()>* before_;
};

/// Stands in loops of much arithmetic that run on one thread, once a row; nothing where nobody waits.
void interruption_point();

}  // namespace orrery::tensor
