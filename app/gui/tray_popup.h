// Where the tray goes: one file of recipes, or a folder of figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/file_picker.h"
#include "app/gui/form_dialog.h"
#include "app/gui/presence.h"
#include "app/gui/tray_page.h"
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
  void begin(const App&, Ui&);
  void place(App&, Ui&);
  void page(Ui&);
  void size(Ui&);
  void names(Ui&, const std::vector<std::filesystem::path>&);
  std::string typed(const App&) const;
  std::vector<std::filesystem::path> files(const App&, const std::string& target) const;
  void foot(App&, Ui&, const std::string& target);
  void go(App&, const std::string& target);

  For for_ = For::save;
  bool wanted_ = false;
  bool wrong_ = false;         // something that was typed cannot be
  std::string path_, folder_;  // as typed
  std::string ending_ = "pdf";
  TrayPage page_;       // in place of what each was collected with
  std::string agreed_;  // the target whose old files may go
  Complaint error_;
  FormDialog dialog_;
  FilePicker picker_;
  Presence presence_;
  Inquiry writing_;     // the file, or the folder that is made first
  bool going_ = false;  // the button was pressed before it was known what it would replace
};

}  // namespace orrery::gui
