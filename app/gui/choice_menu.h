// Alternatives that are too many or too long for one row: a button that shows the chosen one, with a list that
// hangs from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/ui.h"

namespace orrery::gui {

/// Returns which was clicked, or −1; `said` is what stands on the screen for each. The list stays within the window,
/// whatever its length, and scrolls.
int choice_menu(Ui&, std::string_view name, std::span<const std::string_view> items,
                const std::vector<std::string>& said, std::string_view selected, float width);

}  // namespace orrery::gui
