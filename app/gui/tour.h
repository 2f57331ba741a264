// The first minute: three things to do with the clocks, in a strip above the figure. A step is done when the figure shows
// it, whichever way it was reached.
#pragma once

#include <array>

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class Tour {
 public:
  /// From the beginning, wherever the person is.
  void begin() { wanted_ = true; }
  bool on() const { return on_; }
  /// Below the head of the page, from the cursor on; returns how high it is.
  float draw(App&, Ui&, float width);

 private:
  void start(App&);
  void look(const App&);
  bool wanted_ = false, on_ = false;
  bool base_moved_ = false;  // it may stand at 10 000 already
  std::array<bool, 3> done_{};
  parameter::Settings began_;  // the settings of the beginning
};

}  // namespace orrery::gui
