// What settings ask of core: a task, a trainer, and at which lengths the model is asked.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/experiment/task.h"
#include "core/training/evaluate.h"
#include "core/training/trainer.h"

namespace orrery::experiment {

struct Plan {
  Settings settings;
  std::shared_ptr<const Task> task;
  training::TrainerSettings trainer;

  std::int64_t steps() const { return settings.of("training").integer("steps"); }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(settings.of("training").integer("seed")); }
};

/// Reads the text, checks that the model can be, and be asked what it will be. Throws InvalidArgument and Failure.
Plan plan_of(const Settings&);

/// Four arrays of a model's numbers are kept, and what a batch leaves on the tape. Throws InvalidArgument for too many.
void check_size(const transformer::Config&);

/// What evaluation.lengths says; the longest that is trained where it says none.
std::vector<Index> asked_lengths(const Settings&, const Task&);
/// How many tokens the model reads in one pass when it is asked what is called n long: all of them, or a window that slides.
Index pass_length(const Settings&, const Task&, Index n);
/// Rows of a table of learned positions: as many as are said or, where that is 0, as a pass reads, trained or asked.
Index learned_rows(const Settings&, const Task&);
/// How rotary positions are made to reach further. Tokens count as the model reads them.
training::Extension extension_of(const Settings&, const Task&);

}  // namespace orrery::experiment
