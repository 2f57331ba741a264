// The export dialog: what the page is to be, how it will look, and where it goes.
#pragma once

#include <cstdint>
#include <string>

#include "app/gui/app.h"
#include "app/gui/file_picker.h"
#include "app/gui/form_dialog.h"
#include "app/gui/page_preview.h"
#include "app/gui/presence.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class ExportPopup {
 public:
  /// `replacing`: to the file that the figure came from; the question whether to replace it stands there already.
  enum class For : std::uint8_t { choosing, replacing };
  void open(For purpose = For::choosing) {
    wanted_ = true;
    for_ = purpose;
  }
  void draw(App&, Ui&);

 private:
  void begin(App&, Ui&);
  void form(App&, Ui&);
  void format(App&, Ui&);
  void motion(App&, Ui&);
  void ends(App&, Ui&, const recipe::Animation&);
  void page(App&, Ui&);
  void size(App&, Ui&);
  void target(App&, Ui&);
  void follow_ending(ExportPage&) const;
  void named_files(Ui&, const std::vector<std::filesystem::path>&);
  void foot(App&, Ui&);
  void go(App&, const std::filesystem::path&);
  ExportPage asked(const App&) const;
  std::vector<std::filesystem::path> targets(const App&) const;

  For for_ = For::choosing;
  bool wanted_ = false;
  // As typed: what is wrong, or was never written to, becomes nobody's default.
  std::string size_, folder_, name_, from_, to_;
  std::string taken_from_, taken_to_;  // what the motion has of those two
  bool ends_typed_ = false;            // the caret is in one of those two
  bool ends_wrong_ = false;            // one of them cannot be
  bool wrong_ = false;                 // something on the form cannot be
  std::string agreed_;                 // the target whose old file may go: it was asked for
  Complaint error_;
  FormDialog dialog_;
  PagePreview preview_;
  FilePicker picker_;
  Presence presence_;
  Inquiry folder_made_;  // after Export, until the folder is there
  bool going_ = false;   // Export was pressed before it was known what it would replace
};

}  // namespace orrery::gui
