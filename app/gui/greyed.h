// The row of a parameter that is not read just now: as high as it is otherwise, but for a matrix, of which one line says
// enough; pale, and with the reason.
#pragma once

#include <span>

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
ChoicePlace choice_place(const Ui&, const study::Study&, const parameter::Parameter&, float room);

/// Of a vector's components, of a matrix' rows and columns: so many have a control of their own.
inline constexpr std::size_t most_shown = 6;
inline constexpr float space_between = 4;  ///< of the design, from one of them to the next
/// Rows of controls that a matrix has, one at least.
std::size_t shown_rows(const parameter::Matrix&);

/// The field of each of so many components side by side, and the room in it for a number.
float entry_width(const Ui&, std::size_t components, float width);
float room_in_entry(const Ui&, float entry);
/// A component as its field shows it.
std::string entry_text(double);
/// Two or three components stand beside their label, where all of them can be read there.
bool vector_beside(const Ui&, const parameter::Parameter&, std::span<const double> components, float room);

}  // namespace orrery::gui
