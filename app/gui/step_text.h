// What a step of undo changed, in a few words.
#pragma once

#include <string>
#include <string_view>

#include "app/gui/document.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// "Base 500 000 → 777", "Chance: Base 500 000 → 777, Head width 64 → 128", "Comparison Side by side → Overlay", "View x 2
/// … 8"; `what` alone where there is no value to say: another study.
std::string step_text(const Ui&, std::string_view what, const Document& before, const Document& after);

}  // namespace orrery::gui
