#include "core/training/placement_trial.h"

#include <algorithm>

#include "core/training/task.h"

namespace orrery::training {
namespace {

using transformer::Placement;

constexpr auto all_kinds = std::to_array<PlacementKind>({
    {"post_warm", "Post-LN with warm-up", Placement::post, true},
    {"post", "Post-LN without warm-up", Placement::post, false},
    {"pre_warm", "Pre-LN with warm-up", Placement::pre, true},
    {"pre", "Pre-LN without warm-up", Placement::pre, false},
});

}  // namespace

std::span<const PlacementKind> placement_kinds() {
  return all_kinds;
}

Plan placement_plan(const PlacementTrial& trial, const PlacementKind& kind) {
  const MarkovTask task{.sequences = 16};
  Plan plan;
  plan.settings.model = {.vocabulary = task.vocabulary(),
                         .length = task.length,
                         .width = 32,
                         .layers = trial.layers,
                         .heads = 4,
                         .hidden = 128,
                         .placement = kind.placement,
                         .positions = transformer::Positions::rope,
                         .tied = false};
  plan.settings.start = {.spread = transformer::Spread::xavier_normal,
                         .embedding_deviation = 1,
                         .into_stream = transformer::IntoStream::as_others};
  plan.settings.adam = {.beta2 = 0.98};
  plan.settings.schedule = {.kind = Schedule::Kind::constant,
                            .highest = trial.rate,
                            .warm_up = kind.warm_up ? trial.warm_up : 0,
                            .steps = static_cast<double>(trial.steps)};
  plan.settings.clip = 1e30;
  plan.settings.seed = trial.seed;
  plan.steps = trial.steps;
  plan.task = "chains of 8 states, 0.3, 64 tokens, 16 at once, seed " + std::to_string(trial.seed);
  plan.batch = [task, seed = trial.seed](std::uint64_t step) { return task.training(seed, step); };
  return plan;
}

}  // namespace orrery::training
