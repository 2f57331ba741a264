// How models did on long texts that were trained on short ones, as one line of text that a recipe keeps.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/training/length_trial.h"

namespace orrery::study {

struct RaceTask {
  std::string_view key;  ///< as settings and results have it
  training::Trial trial;
};
inline constexpr std::array<RaceTask, 3> race_tasks{{{"copy", training::copy_trial},
                                                     {"chains", training::markov_trial},
                                                     {"long_chains", training::long_trial}}};

/// copy: the share of each word of race_lengths; chains: how far above the floor, each part of place_edges.
struct RaceRun {
  std::string_view key;  ///< of its runner
  std::uint64_t seed = 0;
  std::vector<double> values;
};

struct TaskResults {
  std::vector<double> floor;  ///< of chains, nat, part by part
  std::vector<RaceRun> runs;

  std::vector<RaceRun> of(std::string_view key) const;
};

struct RaceResults {
  std::string where;  ///< "AMD EPYC, 2026-11-24"
  double steps = 0;   ///< of a training on words (chain_steps: rescue_results.h)
  std::array<TaskResults, race_tasks.size()> tasks = {};  ///< none, or one run of every runner at least
};

/// How many values a run of this task has.
std::size_t race_places(const training::Trial&);

/// "AMD EPYC, 2026-11-24; 2000 steps; alibi 1 0.999 …; …; chains floor 2.0794 …; chains alibi 1 0.03 …; …": for each run its
/// task, if that is not copy, its runner, its seed and its values.
std::string text_of(const RaceResults&);
/// Throws InvalidArgument that names the parameter `results`.
RaceResults race_results(std::string_view text);
/// Those that came with the program, made by `./dev race`.
RaceResults shipped_race();

}  // namespace orrery::study
