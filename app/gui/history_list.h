// The steps that were done, by name: a click goes there.
#pragma once

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class HistoryList {
 public:
  void open() { wanted_ = true; }
  void draw(App&, Ui&);

 private:
  bool wanted_ = false;
};

}  // namespace orrery::gui
