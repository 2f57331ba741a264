// What opens over the window.
#pragma once

#include <cstdint>

namespace orrery::gui {

enum class Popup : std::uint8_t {
  none,
  open,
  choose_export,   ///< the export dialog, for a place that is still to be chosen
  replace_export,  ///< the same, for the file that the figure came from
  tray_save,
  tray_export,
  palette,
  history,
  keys,
  notation,
  about,
  first_minute  ///< the strip above the figure
};

}  // namespace orrery::gui
