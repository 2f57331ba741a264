// The numbers that a rescue shows, and its panels: at once, after a short training, and the frequencies that are left.
#pragma once

#include "app/study/extrapolation/rescue_told.h"
#include "app/study/kit.h"

namespace orrery::study::extrapolation_rescue {

Series at_once_series(const Told&);
/// After each number of steps, at twice the trained length; and at the trained one.
Series tuned_series(const Told&, bool longer);
Table runs_table(const Told&);
/// The pairs that a treatment leaves: their frequencies as a share of what they were.
Series pairs_series(const Settings&);

Panel at_once_panel(const Settings&, const Told&, const Series& at_once);
Panel tuned_panel(const Settings&, const Told&, const Series& longer, const Series& trained, bool alone);
Panel pairs_panel(const Settings&, const Series& pairs, bool alone);

}  // namespace orrery::study::extrapolation_rescue
