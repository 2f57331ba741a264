// The epsilons that are in use: of every published card, and the defaults of code that has none.
#pragma once

#include <string>
#include <vector>

#include "core/norm/rms_norm.h"

namespace orrery::study {

struct PublishedEps {
  std::string of;      ///< "Llama 2 7B", "Keras"
  std::string number;  ///< as mathematics: "$10^{-5}$"
  double models = 0;   ///< cards that have it; 0: it is a default of code
  double eps = 0;
  norm::EpsPlace place = norm::EpsPlace::inside;
};

/// What a row has to be as large as for epsilon to be as large as what is divided by: √ε inside the root, ε outside.
double knee(double eps, norm::EpsPlace);
/// How much of its size a normalised row of this root mean square keeps.
double size_kept(double rms, double eps, norm::EpsPlace);
/// The root mean square of a row that keeps so much; `kept` in (0, 1).
double size_that_keeps(double kept, double eps, norm::EpsPlace);

/// By falling knee; each epsilon of the cards once, under the number of models that have it.
const std::vector<PublishedEps>& published_eps();

}  // namespace orrery::study
