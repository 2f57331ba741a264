// The score of a query against the same key, by distance: with the paper's base, the chosen one, and the chosen rule.
#pragma once

#include <string>
#include <vector>

#include "app/study/rope/turning.h"
#include "core/parameter/settings.h"

namespace orrery::study {

struct ScoreCurve {
  std::string role;  ///< "paper", "plain" or "chosen": the last is what the settings say
  std::string label;
  std::vector<double> score;
};

/// The rule that the parameters of rope/rotation say, and what turns by it.
position::RopeRule chosen_rule(const parameter::Settings&);
Turning turning_of(const parameter::Settings&, const position::RopeRule&);

/// Evenly spread on a log axis, from 1 to twice the trained length. Between two tokens the curve shows how it
/// gets from one to the next.
std::vector<double> distances_by_octave(double trained_length);

/// The paper's base, the chosen base, the chosen rule: each only when it differs from the one before.
std::vector<ScoreCurve> score_curves(const parameter::Settings&, const Run&, const twin::Matrix& row,
                                     const std::vector<double>& distances);

figure::Panel score_panel(const parameter::Settings&, const std::vector<double>& distances,
                          const std::vector<ScoreCurve>&, double score_here);
figure::Table score_table(const std::vector<double>& distances, const std::vector<ScoreCurve>&);

}  // namespace orrery::study
