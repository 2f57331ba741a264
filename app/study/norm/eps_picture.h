// The panels of norm/eps.
#pragma once

#include "app/figure/figure.h"
#include "app/study/norm/eps_rows.h"

namespace orrery::study::norm_eps {

figure::Panel kept_panel(const Asked&, const Series& kept);
/// Beside the unit roundoff of each format.
figure::Panel missing_panel(const Asked&, const Series& missing);
/// With what a line on a log axis cannot say: up to which size the result is no finite number, from which on it is 0.
figure::Panel formats_panel(const Asked&, const Series& by_format);
/// For each epsilon in use, from where it takes half of a row's size to where it takes a hundredth.
figure::Panel published_panel(const Asked&);

}  // namespace orrery::study::norm_eps
