// Comparing, as steps a person takes: each is an edit.
#pragma once

#include "app/gui/app.h"

namespace orrery::gui {

/// What is live becomes side A; a person goes on with side B.
void pin(App&);
void unpin(App&);
/// A becomes what is live, and what was live is pinned.
void swap_sides(App&);
/// Back to the settings of A, which stays pinned.
void return_to_pinned(App&);
void show_together(App&, figure::CompareMode);
/// The same settings on the double reference are side A, and the difference is shown.
void compare_with_reference(App&);

/// A parameter of the live side of which A has another value, and that one of them reads.
bool differs_from_pinned(const App&, const parameter::Parameter&);

}  // namespace orrery::gui
