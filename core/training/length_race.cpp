#include "core/training/length_race.h"

#include "core/training/evaluate.h"

namespace orrery::training {
namespace {

using position::RopeType;
using transformer::Positions;

constexpr auto all_runners = std::to_array<Runner>({
    {"alibi", "ALiBi", Positions::alibi},
    {"t5", "T5 bias", Positions::t5},
    {"rope", "RoPE", Positions::rope},
    {"none", "none (4 layers)", Positions::none},
    {"learned", "learned", Positions::learned},
    {"sinusoidal", "sinusoidal", Positions::sinusoidal},
    {"rope+pi", "RoPE, PI", Positions::rope, RopeType::linear},
    {"rope+ntk", "RoPE, NTK", Positions::rope, RopeType::ntk},
    {"rope+yarn", "RoPE, YaRN", Positions::rope, RopeType::yarn},
});
constexpr int trained = 6;

const CopyTask task;
constexpr double trained_length = 62;  // BOS, 30 tokens, SEP, 30 tokens
constexpr Index words = 40, at_once = 10;

double accuracy_of(const transformer::Config& config, std::span<const float> values, Index n,
                   const std::function<void()>& between) {
  const transformer::Transformer<float> model(config);
  transformer::Tape<float> tape;
  double met = 0;
  for (Index first = 0; first < words; first += at_once) {
    between();
    // Every runner is asked the same words.
    const Batch batch = task.of_length(n, at_once, 777, static_cast<std::uint32_t>(n * words + first));
    met += score_of(model, values, batch, tape).accuracy * static_cast<double>(at_once);
  }
  return met / static_cast<double>(words);
}

}  // namespace

std::span<const Runner> runners() {
  return all_runners;
}

int trained_runners() {
  return trained;
}

TrainerSettings race_settings(const Runner& runner, double steps, std::uint64_t seed) {
  TrainerSettings s;
  s.model = {.vocabulary = task.vocabulary(),
             .length = CopyTask::read(race_lengths.back()),
             .width = 64,
             .layers = runner.positions == Positions::none ? 4 : 2,
             .heads = 4,
             .hidden = 256,
             .norm = {.kind = transformer::NormKind::rms},
             .activation = activation::Kind::gelu,
             .bias = false,
             .positions = runner.positions,
             .tied = false};
  s.start = {.spread = transformer::Spread::lecun_normal,
             .embedding_deviation = 1,
             .into_stream = transformer::IntoStream::as_others};
  s.adam = {.beta2 = 0.98, .decay = 0.01};
  s.schedule = {.kind = Schedule::Kind::cosine, .highest = 2e-3, .warm_up = 100, .steps = steps};
  s.seed = seed;
  return s;
}

std::vector<RaceResult> race(const Runner& runner, Index steps, std::uint64_t seed,
                             const std::function<void(double)>& between) {
  Trainer trainer(race_settings(runner, static_cast<double>(steps), seed));
  const double parts = static_cast<double>(steps) * 1.1;  // tests are about a tenth of the time
  for (Index step = 0; step < steps; ++step) {
    between(static_cast<double>(step) / parts);
    trainer.step(task.training(seed, static_cast<std::uint64_t>(step)));
  }
  std::vector<RaceResult> results;
  for (const Runner& each : all_runners) {
    if (each.key != runner.key && (each.rule == RopeType::standard || runner.positions != Positions::rope ||
                                   runner.rule != RopeType::standard))
      continue;
    RaceResult& result = results.emplace_back(RaceResult{.key = each.key, .seed = seed, .accuracy = {}});
    for (std::size_t i = 0; i < race_lengths.size(); ++i)
      result.accuracy[i] = accuracy_of(
          extended(trainer.model().config(), {.rule = each.rule, .trained = trained_length},
                   static_cast<double>(2 * race_lengths[i] + 2)),
          trainer.values(), race_lengths[i], [&] { between(static_cast<double>(steps) / parts); });
  }
  return results;
}

}  // namespace orrery::training
