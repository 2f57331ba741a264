// How far models copied that were trained on short words, as one line of text that a recipe keeps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/training/length_race.h"

namespace orrery::study {

struct RaceResults {
  std::string where;  ///< "AMD EPYC, 2026-11-24"
  double steps = 0;
  std::vector<training::RaceResult> runs;

  std::vector<training::RaceResult> of(std::string_view key) const;
};

/// "AMD EPYC, 2026-11-24; 2000 steps; alibi 1 1 0.999 …; …": for each run its runner, its seed and its accuracies.
std::string text_of(const RaceResults&);
/// Throws InvalidArgument that names the parameter `results`.
RaceResults race_results(std::string_view text);
/// Those that came with the program, made by `./dev race`.
RaceResults shipped_race();

}  // namespace orrery::study
