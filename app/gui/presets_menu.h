// "Presets" at the head of the parameters: published models and what a person saved, with what each would set. One's own are
// replaced only after a question, and what was deleted comes back for as long as the menu is open.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/gui/app.h"
#include "app/gui/preset_shelf.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class PresetsMenu {
 public:
  /// The word, with its right end at `right`, which moves left past it; the menu that hangs from it.
  void draw(App&, Ui&, float& right, float middle);

 private:
  std::string heading(const App&, Ui&);
  void list(App&, Ui&, float width);
  bool entry(App&, Ui&, const recipe::Preset&, float width);
  void save_row(App&, Ui&, float width);
  void note_row(App&, Ui&, float width);
  void save(App&, Ui&);
  void remove(App&);
  void put_back(App&);
  bool asks_to_replace() const { return !name_.empty() && agreed_ == name_; }
  bool is_refused() const { return !refused_.empty() && refused_name_ == name_; }

  PresetShelf shelf_;
  Inquiry writing_;       // one that is saved or deleted
  std::string name_;      // of the one to be saved
  std::string agreed_;    // the one whose file may be replaced: it was asked for
  std::string unwanted_;  // of the one to be deleted
  struct Deleted {
    std::string name;
    std::filesystem::path file;
    std::string text;
  };
  Complaint refused_;  // why the one of that name was not saved
  std::string refused_name_;
  std::optional<Deleted> deleted_;  // last, since the menu was opened
};

}  // namespace orrery::gui
