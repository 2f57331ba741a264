// What of the results of a race the settings ask for.
#pragma once

#include <string_view>
#include <vector>

#include "app/study/extrapolation/race_results.h"
#include "core/parameter/settings.h"

namespace orrery::study::extrapolation_race {

/// What all seeds of a runner make at one place.
struct Spread {
  double mean = 0, least = INFINITY, most = -INFINITY;
};

/// What the results say of one task: shares copied by the length of the word, or how far losses lie above the floor, nat, by
/// the place in a chain.
struct Told {
  training::Trial trial;
  const TaskResults& results;
  std::size_t place;  ///< the one that is told of

  bool copy() const { return trial.task == training::Task::copy; }
  double longest_trained() const;
  /// Lengths of words; chains by the middle of each part, as log axes have it.
  std::vector<double> x() const;
  Spread at(std::string_view key, std::size_t place) const;
  double mean(std::string_view key) const { return at(key, place).mean; }
};

const RaceTask& task_of(const parameter::Settings&);
/// The tokens of the text that is told of: of a word those that are said again.
training::Index tokens_of(const parameter::Settings&);
bool has_task(const parameter::Settings&, const RaceResults&);
/// Of results that have the task.
Told told_of(const parameter::Settings&, const RaceResults&);

/// Those that were trained, and RoPE as it was and as rules make it.
std::vector<training::Runner> trained_ones();
std::vector<training::Runner> ropes();

}  // namespace orrery::study::extrapolation_race
