// What became of models with RoPE past the length that they were trained on, as one line of text that a recipe keeps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/training/rescue.h"

namespace orrery::study {

struct RescueResults {
  std::string where;          ///< "AMD EPYC, 2026-11-24"
  double steps = 0;           ///< of a training on words; on chains half as many again
  std::vector<double> floor;  ///< −ln p of the best that can be known, part by part of 512 tokens
  std::vector<training::RescueResult> words, chains;

  const std::vector<training::RescueResult>& of(training::Task task) const {
    return task == training::Task::copy ? words : chains;
  }
};

training::Index chain_steps(double steps);

/// "AMD EPYC, 2026-11-24; 2000 steps; floor 2.0794 …; copy none 1 1 0.99 …; chains none 1 0.03 …; …".
std::string text_of(const RescueResults&);
/// Throws InvalidArgument that names the parameter `results`.
RescueResults rescue_results(std::string_view text);
/// Those that came with the program, made by `./dev race`.
RescueResults shipped_rescue();

}  // namespace orrery::study
