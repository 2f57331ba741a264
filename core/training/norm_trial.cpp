#include "core/training/norm_trial.h"

#include <chrono>

#include "core/training/length_trial.h"

namespace orrery::training {
namespace {

MarkovTask chains() {
  return {.sequences = 32};
}

}  // namespace

Plan norm_plan(transformer::NormKind kind, std::int64_t steps, std::uint64_t seed) {
  const auto rope = std::ranges::find(runners(), "rope", &Runner::key);
  Plan plan;
  plan.settings = race_settings(*rope, static_cast<double>(steps), seed);
  plan.settings.model.vocabulary = chains().vocabulary();
  plan.settings.model.length = chains().length;
  plan.settings.model.norm.kind = kind;
  plan.steps = steps;
  plan.task = "chains of 8 states, 0.3, 64 tokens, 32 at once, seed " + std::to_string(seed);
  plan.batch = [seed](std::uint64_t step) { return chains().training(seed, step); };
  return plan;
}

std::array<std::vector<double>, norm_trial_kinds.size()> norm_step_times(std::int64_t steps,
                                                                         const Between& between) {
  using Clock = std::chrono::steady_clock;
  std::array<std::vector<double>, norm_trial_kinds.size()> times;
  std::vector<Trainer> trainers;
  trainers.reserve(times.size());
  for (const transformer::NormKind kind : norm_trial_kinds)
    trainers.emplace_back(norm_plan(kind, steps, 1).settings);
  for (std::int64_t step = -1; step < steps; ++step) {  // the first one finds no memory yet
    between(static_cast<double>(std::max<std::int64_t>(step, 0)) / static_cast<double>(steps));
    const transformer::Batch batch = chains().training(1, static_cast<std::uint64_t>(step + 1));
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto start = Clock::now();
      trainers[i].step(batch);
      if (step >= 0)
        times[i].push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
  }
  return times;
}

}  // namespace orrery::training
