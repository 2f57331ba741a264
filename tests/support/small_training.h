// A model so small that it is trained in hundredths of a second, for what may happen to a training.
#pragma once

#include "core/training/task.h"
#include "core/training/trainer.h"

namespace orrery::support {

inline const training::CopyTask short_words{.content = 6, .shortest = 2, .longest = 4, .tokens = 60};

inline training::TrainerSettings small_training(double steps) {
  training::TrainerSettings s;
  s.model.vocabulary = short_words.vocabulary();
  s.model.length = 16;
  s.model.width = 16;
  s.model.heads = 2;
  s.model.hidden = 32;
  s.model.layers = 2;
  s.model.tied = false;
  s.schedule = {.highest = 5e-3, .steps = steps};
  return s;
}

}  // namespace orrery::support
