// How a slider travels: from a fraction of its way to a value that the parameter allows, and back.
#pragma once

#include "core/parameter/parameter.h"
#include "core/parameter/settings.h"

namespace orrery::gui {

/// The ends of the slider: the parameter's own, or, where those are infinite, some way about its default.
struct SliderEnds {
  double low = 0, high = 1;
};
SliderEnds slider_ends(const parameter::Parameter&);

/// 0 to 1; values beyond the ends stand at them.
double slider_fraction(const parameter::Parameter&, double value);
/// How closely a slider follows the hand: `fine` is ten times as exact, and stops between powers of two.
enum class Pace : bool { usual, fine };
/// The allowed value nearest to that place: whole, a multiple, a power of two, or a real number rounded to
/// what the eye can tell apart on the way.
double slider_value(const parameter::Parameter&, double fraction, Pace = Pace::usual);

/// What an arrow key or a notch of the wheel makes of a value, `steps` times: the next whole number, multiple or power of
/// two; of a real number a hundredth of the way in round numbers, on a log slider the next of two digits. `coarse` steps
/// are ten times as long.
parameter::Value nudged(const parameter::Parameter&, const parameter::Value&, int steps, bool coarse = false);

/// So many presses of an arrow further: the next allowed value at least, a hundredth of the way at most; whole numbers
/// on a linear way go one by one.
double stepped(const parameter::Parameter&, double value, int steps);

double number_of(const parameter::Value&);
/// The numbers of a vector, or of a matrix row after row; and the value with others in their places.
std::vector<double> entries_of(const parameter::Value&);
parameter::Value with_entries(parameter::Value, std::vector<double> entries);
/// The nearest value of the parameter's kind within its range: what a dragged point becomes.
parameter::Value nearest_allowed(const parameter::Parameter&, double value);

}  // namespace orrery::gui
