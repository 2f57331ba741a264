// "Presets" at the head of the parameters: published models and what a person saved, with what each would set.
#pragma once

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
  void save(App&, Ui&);
  void remove(App&);

  PresetShelf shelf_;
  Inquiry writing_;       // one that is saved or deleted
  std::string name_;      // of the one to be saved
  std::string unwanted_;  // of the one to be deleted
};

}  // namespace orrery::gui
