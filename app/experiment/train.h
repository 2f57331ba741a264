// A training in its folder: begun, or taken up where its checkpoint is, to the same bits as one that nothing disturbed.
#pragma once

#include <cstdint>
#include <functional>

#include "app/experiment/run_folder.h"

namespace orrery::experiment {

struct Progress {
  std::int64_t step = 0, steps = 0;
  double loss = 0;          ///< of the last step
  double seconds_left = 0;  ///< by how long the steps took since this program began; NaN before the first
};

struct TrainOptions {
  double checkpoint_seconds = 60;  ///< between two checkpoints; what can be lost
  std::function<void(const Progress&)> tell = {};
  /// Asked before each step and within it, which is not taken then; then all is saved.
  std::function<bool()> stopped = {};
};

struct Trained {
  std::int64_t begun_at = 0;  ///< the step that it was taken up at
  std::int64_t step = 0, steps = 0, left_out = 0;
  double loss = 0;     ///< of the last step; NaN where none was done
  double seconds = 0;  ///< of this program
  bool done() const { return step == steps; }
};

/// Holds the folder's lock. Throws Failure, also for a folder of other settings.
Trained train(const RunFolder&, const Plan&, const TrainOptions&);

/// The model of a folder as it is after the steps that were done. Throws Failure.
training::Trainer trainer_of(const RunFolder&, const Plan&);

}  // namespace orrery::experiment
