// Everything by a few letters: actions, studies, the open study's parameters, presets and things to try.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/gui/actions.h"
#include "app/gui/preset_shelf.h"
#include "app/gui/search_index.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// One line of the palette.
struct PaletteEntry {
  std::string key{};      ///< "action:undo": remembered as used
  std::string label{};    ///< what is searched first
  std::string note{};     ///< at the right end: keys, a topic, a value
  std::string also{};     ///< searched too, never shown: the name in English, what else people call it
  std::string called{};   ///< whole names besides the label, one a line: typed so, it comes first
  std::string why_not{};  ///< empty: it can be done
  std::function<void(Reach&)> run{};
  std::string
      kind{};  ///< asked for by this word; without it, what bears the name comes before (a study, an action)
  bool sentence = false;           ///< the label is no name: how it begins says little
  const Indexed* index = nullptr;  ///< of a study; of the rest it is made of what stands above
};
std::vector<PaletteEntry> palette_entries(const Ui&, const KeyMap&, const Reach&,
                                          const std::vector<recipe::Preset>&);

/// What is shown for some letters, best first: what is called so, then what begins so, the shortest first and studies last;
/// what cannot be done behind what can; what was used lately before what fits as well, and before all where nothing is
/// typed.
struct PaletteRow {
  const PaletteEntry* entry;
  std::vector<std::size_t> lit;  ///< bytes of the label
};
std::vector<PaletteRow> palette_rows(const std::vector<PaletteEntry>&, std::string_view typed,
                                     const std::vector<std::string>& recent);

class Palette {
 public:
  void open() { wanted_ = true; }
  void draw(Ui&, const KeyMap&, Reach&);

 private:
  void list(Ui&, const std::vector<PaletteRow>&);
  void use(const PaletteEntry&, Reach&);

  bool wanted_ = false, moved_ = false;
  PresetShelf presets_;
  std::string typed_;
  int chosen_ = 0;
  int clicked_ = -1;
  std::vector<std::string> recent_;  // keys, the last used first
};

}  // namespace orrery::gui
