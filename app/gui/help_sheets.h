// What Help opens besides the keys: what this program is made of, and what its letters mean.
#pragma once

#include "app/gui/ui.h"

namespace orrery::gui {

class App;

/// Version, licence, libraries; a click on the button copies them, for whoever reports a fault.
class AboutSheet {
 public:
  void open() { wanted_ = true; }
  void draw(App&, Ui&);

 private:
  bool wanted_ = false;
};

/// The letters of the formulas.
class NotationSheet {
 public:
  void open() { wanted_ = true; }
  void draw(Ui&);

 private:
  bool wanted_ = false;
};

}  // namespace orrery::gui
