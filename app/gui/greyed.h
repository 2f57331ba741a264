// The row of a parameter that is not read just now: as high as it is otherwise, pale, and with the reason.
#pragma once

#include "app/gui/app.h"
#include "app/gui/ui.h"
#include "core/parameter/only_when.h"

namespace orrery::gui {

void greyed_row(const App&, Ui&, const parameter::Parameter&, const parameter::Condition& unmet);

/// Whether all of a parameter's choices stand beside its label, below it, or hang in a menu.
struct ChoicePlace {
  bool beside = false, menu = false;
  float width = 0;
};
ChoicePlace choice_place(const Ui&, const parameter::Parameter&, float room);

/// Of a vector's components, of a matrix' rows and columns: so many have a control of their own.
inline constexpr std::size_t most_shown = 6;
/// Rows of controls that a matrix has, one at least.
std::size_t shown_rows(const parameter::Matrix&);

/// Two or three components stand beside their label.
bool vector_beside(const Ui&, const parameter::Parameter&, std::size_t components, float room);

}  // namespace orrery::gui
