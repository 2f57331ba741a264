// What rope/precision draws: errors of angles as a map and by pair, and the runs of positions that became one.
#pragma once

#include "app/figure/figure.h"
#include "app/study/rope/source.h"
#include "core/position/rope_precision.h"

namespace orrery::study {

/// A text seen through a choice of formats.
struct RoundedText {
  Spectrum spectrum;                ///< exact
  std::vector<double> frequencies;  ///< as they go into the rounding: exact, or a running product
  position::RopeFormats formats;
  position::PositionRun positions;

  double error(double position, std::size_t pair) const;  ///< of an angle, in radians; NaN without one
};

struct PairError {
  std::vector<double> pair, radians, position;  ///< the worst angle and where
  std::vector<double> turned;                   ///< error of a turned pair over its length, on a sample
};

figure::Panel phase_map(const RoundedText&);
figure::Panel pair_panel(const PairError&);
figure::Panel run_panel(const RoundedText&, const position::RopeCollisions&);

}  // namespace orrery::study
