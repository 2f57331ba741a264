// What rope/relative draws: what a score is, and how far it is off, in every octave of positions and every format.
#pragma once

#include <string>
#include <vector>

#include "app/study/kit.h"
#include "core/position/rope_staged.h"

namespace orrery::study {

/// The scores of one pair of tokens, moved along the text, in one format.
struct MovedScores {
  tensor::Format format;
  tensor::Format positions;  ///< of the numbers m and n themselves
  std::string name;
  std::string label;  ///< in a legend
  Series
      series;  ///< "score" and "|error|" by position; those whose angle the format cannot hold are left out
};

/// Of the positions from each power of two to the next, the last one's end included: the lowest and the highest score and
/// the largest error. Octaves of which the format holds nothing are left out.
Series octave_series(const MovedScores&, double last);

/// `octaves`: of each format; `last`: of all positions. `keyed`: with a legend of its own.
Panel moved_score_panel(const std::vector<MovedScores>&, const std::vector<Series>& octaves, double last,
                        double distance, bool keyed);
Panel moved_error_panel(const std::vector<MovedScores>&, const std::vector<Series>& octaves, double last);

}  // namespace orrery::study
