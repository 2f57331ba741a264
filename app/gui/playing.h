// Which parameter runs by itself, and what is known of the one that did.
#pragma once

#include "app/gui/player.h"

namespace orrery::gui {

class Playing {
 public:
  /// Starts it where it stands, or stops it where it runs.
  void toggle(const parameter::Parameter&, const parameter::Value& now);
  void stop() { player_.stop(); }
  const parameter::Parameter* now() const { return player_.playing(); }
  /// What plays, or did and was stopped: its speed and its ends are shown. Nothing once that is dismissed.
  const parameter::Parameter* moving() const { return moving_; }
  /// It is shown as something that was stopped.
  void show(const parameter::Parameter*);
  void dismiss() { show(nullptr); }
  /// The next value of what plays; after it, the end of a way that is gone once. In steps: it stands for a second, then takes
  /// the whole step of that second.
  parameter::Value advance(double seconds, const Motion& motion, bool in_steps = false);
  void stop_at_the_end() {
    if (player_.arrived()) player_.stop();
  }
  /// True once after each start: all the way that it plays is one step of undo.
  bool begins_a_step();

 private:
  Player player_;
  const parameter::Parameter* moving_ = nullptr;
  bool recorded_ = false;
  double stood_ = 0;  // seconds, of a step
};

}  // namespace orrery::gui
