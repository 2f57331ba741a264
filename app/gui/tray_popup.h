// Where the tray goes: one file of recipes, or a folder of figures.
#pragma once

#include <array>
#include <string>

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class TrayPopup {
 public:
  enum class For : std::uint8_t { save, write };
  void open(For purpose) {
    for_ = purpose;
    wanted_ = true;
  }
  void draw(App&, Ui&);

 private:
  std::string typed(const App&) const;
  bool ready(App&, Ui&, const std::string& target);
  void go(App&, const std::string& target);

  For for_ = For::save;
  bool wanted_ = false;
  std::string path_ = "lecture.toml", folder_, ending_ = "pdf";
  std::string agreed_;  // the target whose old files may go
  std::string error_;
};

}  // namespace orrery::gui
