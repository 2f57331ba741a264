// The conventions of rotary positions drawn below each other: which columns meet, and the scores that this gives.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "core/position/rope_wiring.h"

namespace orrery::study {

/// A convention with what was found about it.
struct WiredLane {
  std::string name;
  position::RopeWiring wiring;
  tensor::Matrix<double> scores;  ///< key positions × distances, over |q||k|
  double spread = 0;              ///< of those
  bool relative = true;           ///< the spread is rounding and nothing else
  bool compared = true;           ///< of two different places at least: of one alone nothing can be told
};

/// Columns as dots, arcs between those that meet: queries' above, keys' below where they differ. The fastest pair is
/// in the accent colour; pairs whose columns turn at two speeds are dashed, those that stand still dotted.
figure::Panel wiring_panel(const std::vector<WiredLane>&, tensor::Index width);

/// Scores against distance, a curve for each different place n of the key, and the verdicts; with several lanes each curve has
/// the height of its lane.
figure::Panel lanes_panel(const std::vector<WiredLane>&, const std::vector<double>& distances,
                          const std::vector<double>& key_positions);

}  // namespace orrery::study
