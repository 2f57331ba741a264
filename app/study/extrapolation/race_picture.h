// The numbers that a race shows, and its panels.
#pragma once

#include "app/study/extrapolation/race_told.h"
#include "app/study/kit.h"

namespace orrery::study::extrapolation_race {

/// Of every runner the mean over its seeds: "accuracy" by length, or "above_floor" by place.
Series means_series(const Told&);
/// Of chains: the best that can be known, and losses as they are.
Series losses_series(const Told&);
Table runs_table(const Told&);

/// Curves with bars from the least to the most of all seeds, in colours from this one on.
Panel race_panel(std::string title, const Told&, const Series& means,
                 const std::vector<training::Runner>& shown, int color);

}  // namespace orrery::study::extrapolation_race
