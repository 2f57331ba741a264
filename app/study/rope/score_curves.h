// The score of a query against the same key, by distance: with the paper's base, the chosen one, and the chosen rule. It
// oscillates faster than a page shows: every whole distance is in the lowest, the mean and the highest of its stretch.
#pragma once

#include <string>
#include <vector>

#include "app/study/kit/series.h"
#include "app/study/rope/turning.h"
#include "core/parameter/settings.h"

namespace orrery::study {

struct ScoreCurve {
  std::string role;   ///< "paper", "plain" or "chosen": the last is what the settings say
  std::string label;  ///< of the mean, and its column in the series
  std::string lowest() const { return label + ", lowest"; }
  std::string highest() const { return label + ", highest"; }
};

struct ScoreCurves {
  std::vector<ScoreCurve>
      curves;          ///< the paper's base, the chosen base, the chosen rule: each only when it differs
  Series by_distance;  ///< "scores": three columns a curve, over the first distance of each stretch
};

/// The rule that the parameters of rope/rotation say, and what turns by it.
position::RopeRule chosen_rule(const parameter::Settings&);
Turning turning_of(const parameter::Settings&, const position::RopeRule&);

/// From distance 1 to twice the trained length, of a row with the same two numbers in every pair: the mean over the pairs of
/// cos(r θ_i), times the square of the attention factor; 0 where the row is 0.
ScoreCurves score_curves(const parameter::Settings&, const Run&, const twin::Matrix& row);

figure::Panel score_panel(const parameter::Settings&, const ScoreCurves&, double score_here);

}  // namespace orrery::study
