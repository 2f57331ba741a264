// Colours and measures of the window: the figure's theme, and the few shades that only panes and controls
// have.
#pragma once

#include <imgui.h>

#include "app/figure/theme.h"

namespace orrery::gui {

struct Tokens {
  figure::Color ground;  ///< behind the figure
  figure::Color pane;    ///< behind lists and controls
  figure::Color control, raised;
  figure::Color line;  ///< one pixel, between panes only
  figure::Color text, secondary, faint;
  figure::Color accent, accent_ground;
  figure::Color chosen, on_chosen;    ///< one of several, and the words on it
  figure::Color primary, on_primary;  ///< the button that matters most, and the words on it
  figure::Color holds, fails;
};

/// The screen theme by that name: anything but "light" is dark.
const figure::Theme& screen_theme(const std::string& name, bool high_contrast = false);
Tokens tokens_of(const figure::Theme&);

/// The same for what Dear ImGui draws itself: menus, text fields, scroll bars, tooltips.
void apply_style(const Tokens&, float scale);

ImU32 color(figure::Color, double alpha = 1);

}  // namespace orrery::gui
