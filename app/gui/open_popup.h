// Opening: any file that the program reads, looked for in folders, or one of the last.
#pragma once

#include <string>

#include "app/gui/app.h"
#include "app/gui/file_picker.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class OpenPopup {
 public:
  void open() { wanted_ = true; }
  void draw(App&, Ui&);

 private:
  bool wanted_ = false;
  std::string taking_;  // a path that was chosen, until it is known what came of it
  FilePicker picker_;
};

}  // namespace orrery::gui
