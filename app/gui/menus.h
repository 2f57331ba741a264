// The menus of the top bar: one for each group of actions, from the registry.
#pragma once

#include "app/gui/actions.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// What an action is called just now, in the language of the window: "Undo Base".
std::string action_words(const Ui&, const Action&, const Reach&);

/// From x on, in the window that is being drawn; the arrows go from one menu to the next. Returns where they end.
float menus(Ui&, const KeyMap&, Reach&, float x);
float menus_width(const Ui&);

}  // namespace orrery::gui
