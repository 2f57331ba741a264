// What differs between the pinned side and the live one, said at the parameters themselves.
#pragma once

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

/// In the first line of a parameter's row, between `left` and `right`: A's value, where it is another. A click takes it.
/// The cursor stays where it was.
void compare_mark(App&, Ui&, const parameter::Parameter&, float left, float right, float top, float height);

}  // namespace orrery::gui
