#include "core/training/length_race.h"

#include <algorithm>
#include <iterator>

#include "core/training/length_trial.h"

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

}  // namespace

std::span<const Runner> runners() {
  return all_runners;
}

int trained_runners() {
  return trained;
}

transformer::Config turned_by(const position::RopeRule& rule, transformer::Config model) {
  const position::RopeFrequencies found = position::rope_frequencies(rule);
  model.rope.frequencies = found.inv_freq;
  model.rope.attention_factor = found.attention_factor;
  return model;
}

transformer::Config stretched(const Runner& runner, transformer::Config model, double tokens,
                              double trained_tokens) {
  if (runner.rule == RopeType::standard) return model;
  const position::RopeRule rule{.type = runner.rule,
                                .rotary_dim = model.width / model.heads,
                                .base = model.rope.base,
                                .factor = std::max(1.0, tokens / trained_tokens),
                                .original_length = trained_tokens};
  return turned_by(rule, std::move(model));
}

std::vector<Runner> tested_as(const Runner& runner) {
  std::vector<Runner> all{runner};
  if (runner.positions != Positions::rope || runner.rule != RopeType::standard) return all;
  std::ranges::copy_if(all_runners, std::back_inserter(all),
                       [](const Runner& each) { return each.rule != RopeType::standard; });
  return all;
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
                             const std::filesystem::path& folder,
                             const std::function<void(double)>& between) {
  constexpr double trained_share = 0.9;  // tests are about a tenth of the time
  const Trained model =
      train(trial_plan(copy_trial, runner, steps, seed), folder, part_of(between, 0, trained_share));
  const transformer::Config config =
      transformer::resolved(trial_settings(copy_trial, runner, steps, seed).model);
  std::vector<RaceResult> results;
  for (const Runner& each : tested_as(runner)) {
    RaceResult& result = results.emplace_back(RaceResult{.key = each.key, .seed = seed, .accuracy = {}});
    for (std::size_t i = 0; i < race_lengths.size(); ++i) {
      const Index n = race_lengths[i];
      const double tokens = static_cast<double>(2 * n + 2);
      result.accuracy[i] = copied(stretched(each, config, tokens, trained_length), model.values, n,
                                  [&] { between(trained_share); });
    }
  }
  return results;
}

}  // namespace orrery::training
