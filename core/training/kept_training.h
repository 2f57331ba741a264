// A training that is kept: one that was stopped or killed goes on where it was, and one that is done is there at once.
//
//   FOLDER/NAME.txt                  what is trained, in words; NAME is a hash of it
//   FOLDER/NAME.STEP.safetensors     the last checkpoint (trainer.h): where somebody looks, at the end, and each half a minute
//   FOLDER/NAME.STEP.weights         the weights where somebody looks, floats as the machine has them
//   FOLDER/NAME.course               of each step its loss and how far it moved the weights, doubles likewise
//
// NAME follows from all that the numbers depend on, the kind of vectors of the processor included: what is found under it is
// to the bit what a training here and now would give. Each file is the old one or the new one, never half of each; a killed
// training loses half a minute at most. Without a folder nothing is read or written, and none that cannot be written ends a
// training.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/training/trainer.h"

namespace orrery::training {

struct Plan {
  std::string task;  ///< what the batches are, with every number that they depend on
  TrainerSettings settings = {};
  std::int64_t steps = 0;
  std::function<transformer::Batch(std::uint64_t step)> batch = {};
  std::vector<float> from = {};  ///< weights to begin with; empty: those of settings.start
  std::vector<std::int64_t> looks =
      {};  ///< after so many steps, 0 to `steps`, the weights are kept; ascending
};

struct Trained {
  std::vector<float> values;              ///< at the end
  std::vector<double> losses;             ///< of each step, before it
  std::vector<double> moved;              ///< |Δw|/|w| of each step, over all weights, |w| before it
  std::vector<std::vector<float>> looks;  ///< the weights after each of the plan's
};

/// Called with the share that is done, often enough to end a training within 100 ms by throwing.
using Between = std::function<void(double share)>;

/// All that the numbers of a plan depend on, in words.
std::string description_of(const Plan&);

Trained train(const Plan&, const std::filesystem::path& folder, const Between& between);

/// Where trainings are kept: $ORRERY_TRAININGS (empty: nowhere), else $XDG_CACHE_HOME/orrery/trainings, else below ~/.cache;
/// empty where there is no such place.
std::filesystem::path kept_folder();

/// A line of results that is kept under what it is of: what `make` gives is written, and read the next time.
std::string kept_line(const std::filesystem::path& folder, const std::string& of,
                      const std::function<std::string()>& make);

/// A part of what is done, as a share of the whole.
Between part_of(const Between& whole, double from, double to);

}  // namespace orrery::training
