// The presets of one study, as the menu and the palette offer them: read once, when either is opened. A person's own come
// from files: they join the published ones when the disk has answered.
#pragma once

#include <string>
#include <vector>

#include "app/gui/app.h"
#include "app/gui/inquiry.h"
#include "app/gui/ui.h"
#include "app/recipe/presets.h"

namespace orrery::gui {

class PresetShelf {
 public:
  /// What the study has now, files included.
  void read(const study::Study&);
  /// Once per frame in which they are shown: the same where another study is open by now.
  void follow(const study::Study&, Ui&);
  /// A person's own first.
  const std::vector<recipe::Preset>& all() const { return presets_; }

 private:
  const study::Study* of_ = nullptr;
  std::vector<recipe::Preset> presets_;
  Inquiry inquiry_;
};

/// "Base 500 000, Head width 128": what it would set, in the words of the panel.
std::string preset_contents(const App&, const Ui&, const recipe::Preset&);

}  // namespace orrery::gui
