// Which language the window speaks.
#pragma once

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// Why a language cannot be shown here: no font on this machine has its characters. Empty: it can.
std::string_view why_not_shown(language::Language);

/// Before each frame: the language of the preferences, or English where that cannot be shown, which is said.
void follow_language(App&, Ui&);

}  // namespace orrery::gui
