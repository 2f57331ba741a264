// Closing the window while a file is on its way to the disk.
#pragma once

namespace orrery::gui {

class App;

/// The first time the window is asked to close, it waits for what is being written, and says so for as long as nothing else is
/// said; where that fails or is stopped it stays, and the notice says why. The second time it goes at once.
class Leaving {
 public:
  /// Twice within so many seconds is once: nobody has read yet what it waits for.
  static constexpr double double_click = 1;

  /// Somebody closes it, at that time in seconds.
  void ask(App&, double now);
  /// Once per frame, after App::update.
  void update(App&);

  bool waits() const { return state_ == State::waits; }
  bool gone() const { return state_ == State::gone; }

 private:
  enum class State { stays, waits, gone } state_ = State::stays;
  double asked_ = 0;
  bool exports_ = false, runs_errands_ = false;  // while it waits, something was exported, or else written
};

}  // namespace orrery::gui
