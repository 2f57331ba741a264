#include "core/training/length_trial.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace orrery::training {
namespace {

using transformer::Positions;

constexpr std::uint64_t test_seed = 777, floor_seed = 778;

MarkovTask chains_of(const Trial& trial, const Runner& runner) {
  MarkovTask task;
  task.length = trial.length;
  task.sequences = (runner.positions == Positions::none ? 2048 : 4096) / trial.length;
  return task;
}

/// What a training begins with, where that is not what the settings say by themselves: rows of positions that no training
/// reaches stay as they began, short beside the tokens; distances that none reaches get no bias.
std::vector<float> first_values(const TrainerSettings& settings) {
  struct Start {
    Positions positions;
    const char* table;
    double deviation;
  };
  constexpr Start starts[] = {{Positions::learned, "decoder.position_embedding.weight", 0.3},
                              {Positions::t5, "decoder.position_bias.weight", 0}};
  const auto* const start = std::ranges::find(starts, settings.model.positions, &Start::positions);
  if (start == std::end(starts)) return {};
  const transformer::Transformer<float> model(settings.model);
  std::vector<float> values = transformer::initial_values(model, settings.start, settings.seed);
  for (float& x : model.layout().find(start->table)->slot.numbers(std::span(values)))
    x *= static_cast<float>(start->deviation);
  return values;
}

/// The mean of each part.
std::vector<double> by_part(const std::vector<double>& by_place) {
  std::vector<double> means;
  for (std::size_t i = 0; i < parts_within(static_cast<Index>(by_place.size())); ++i) {
    double sum = 0;
    for (Index t = place_edges[i]; t < place_edges[i + 1]; ++t) sum += by_place[static_cast<std::size_t>(t)];
    means.push_back(sum / static_cast<double>(place_edges[i + 1] - place_edges[i]));
  }
  return means;
}

/// Of every target of a batch, what the best that can be known expects to lose: −Σ p ln p over the states, p = (c_ij +
/// α)/(c_i + Sα). Its mean over chains is that of −ln p, with less chance in it.
std::vector<double> expected_floor(const MarkovTask& task, const Batch& batch) {
  const auto states = static_cast<std::size_t>(task.states);
  std::vector<double> floor;
  for (Index b = 0; b < batch.sequences; ++b) {
    std::vector<double> seen(states * states), of_row(states);
    for (Index t = 0; t < batch.length; ++t) {
      const auto at = static_cast<std::size_t>(b * batch.length + t);
      const auto i = static_cast<std::size_t>(batch.tokens[at]),
                 j = static_cast<std::size_t>(batch.targets[at]);
      const double all = of_row[i] + task.concentration * static_cast<double>(states);
      double entropy = 0;
      for (std::size_t k = 0; k < states; ++k) {
        const double p = (seen[i * states + k] + task.concentration) / all;
        entropy -= p * std::log(p);
      }
      floor.push_back(entropy);
      ++seen[i * states + j];
      ++of_row[i];
    }
  }
  return floor;
}

}  // namespace

TrainerSettings trial_settings(const Trial& trial, const Runner& runner, Index steps, std::uint64_t seed) {
  TrainerSettings settings = race_settings(runner, static_cast<double>(steps), seed);
  if (trial.task == Task::copy) return settings;
  settings.model.vocabulary = MarkovTask{}.vocabulary();
  settings.model.length = tested_tokens(trial);
  if (runner.positions == Positions::none)
    settings.schedule.steps = static_cast<double>(std::max<Index>(1, steps * 5 / 6));
  return settings;
}

std::vector<std::int64_t> growth_looks(std::int64_t steps) {
  constexpr double shares[] = {0, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1};
  std::vector<std::int64_t> looks;
  for (const double share : shares) looks.push_back(std::llround(share * static_cast<double>(steps)));
  looks.erase(std::ranges::unique(looks).begin(), looks.end());
  return looks;
}

Plan trial_plan(const Trial& trial, const Runner& runner, Index steps, std::uint64_t seed) {
  Plan plan;
  plan.settings = trial_settings(trial, runner, steps, seed);
  plan.steps = static_cast<std::int64_t>(plan.settings.schedule.steps);
  plan.looks = growth_looks(plan.steps);
  plan.from = first_values(plan.settings);
  if (trial.task == Task::copy) {
    plan.task = "copy of 4 to 30 of 64 tokens, 1240 at once, seed " + std::to_string(seed);
    plan.batch = [seed](std::uint64_t step) { return CopyTask{}.training(seed, step); };
    return plan;
  }
  const MarkovTask task = chains_of(trial, runner);
  plan.task = "chains of 8 states, 0.3, " + std::to_string(task.length) + " tokens, " +
              std::to_string(task.sequences) + " at once, seed " + std::to_string(seed);
  plan.batch = [seed, task](std::uint64_t step) { return task.training(seed, step); };
  return plan;
}

std::size_t parts_within(Index tokens) {
  return static_cast<std::size_t>(std::ranges::upper_bound(place_edges, tokens) - place_edges.begin()) - 1;
}

std::size_t part_from(Index edge) {
  return static_cast<std::size_t>(std::ranges::find(place_edges, edge) - place_edges.begin());
}

std::vector<double> part_middles(std::size_t parts) {
  std::vector<double> middles;
  for (std::size_t i = 0; i < parts; ++i)
    middles.push_back(std::sqrt(static_cast<double>((place_edges[i] + 1) * place_edges[i + 1])));
  return middles;
}

std::vector<double> floor_by_part(Index tokens, const std::function<void()>& between) {
  constexpr Index at_once = 64;
  const Index batches = tokens > 512 ? 16 : 64;
  const MarkovTask task;
  std::vector<double> by_place(static_cast<std::size_t>(tokens));
  for (Index i = 0; i < batches; ++i) {
    between();
    const Batch batch = task.of_length(tokens, at_once, floor_seed, static_cast<std::uint32_t>(i));
    const std::vector<double> floor = expected_floor(task, batch);
    for (std::size_t n = 0; n < floor.size(); ++n)
      by_place[n % by_place.size()] += floor[n] / static_cast<double>(at_once * batches);
  }
  return by_part(by_place);
}

std::vector<double> above_floor(const transformer::Config& config, std::span<const float> values,
                                Index tokens, const std::function<void()>& between) {
  const transformer::Transformer<float> model(config);
  transformer::Tape<float> tape;
  const MarkovTask task;
  // So many tokens at once that a test of them ends within 100 ms.
  const Index at_once = std::max<Index>(1, 2048 / tokens), all = tokens > 512 ? 64 : 256;
  std::vector<double> by_place(static_cast<std::size_t>(tokens));
  for (Index first = 0; first < all; first += at_once) {
    between();
    const Batch batch = task.of_length(tokens, at_once, test_seed, static_cast<std::uint32_t>(first));
    const std::vector<double> floor = task.floor_of(batch);
    model.forward(values, batch, tape);
    model.loss(batch, tape);
    for (std::size_t n = 0; n < floor.size(); ++n)
      by_place[n % by_place.size()] += (tape.loss.by_token[n] - floor[n]) / static_cast<double>(all);
  }
  return by_part(by_place);
}

Index tested_tokens(const Trial& trial) {
  return trial.length == long_trial.length ? 1024 : 512;
}

std::vector<ChainResult> chain_race(const Trial& trial, const Runner& runner, Index steps, std::uint64_t seed,
                                    const std::filesystem::path& folder, const Between& between) {
  constexpr double trained_share = 0.97;
  const Plan plan = trial_plan(trial, runner, steps, seed);
  const Trained model = train(plan, folder, part_of(between, 0, trained_share));
  const transformer::Config config = transformer::resolved(plan.settings.model);
  const Index tokens = tested_tokens(trial);
  std::vector<ChainResult> results;
  for (const Runner& each : tested_as(runner))
    results.push_back({each.key, above_floor(stretched(each, config, static_cast<double>(tokens),
                                                       static_cast<double>(trial.length)),
                                             model.values, tokens, [&] { between(trained_share); })});
  return results;
}

double copied(const transformer::Config& config, std::span<const float> values, Index n,
              const std::function<void()>& between) {
  constexpr Index words = 40, at_once = 10;
  const transformer::Transformer<float> model(config);
  transformer::Tape<float> tape;
  double met = 0;
  for (Index first = 0; first < words; first += at_once) {
    between();
    // Every model is asked the same words.
    const Batch batch =
        CopyTask{}.of_length(n, at_once, test_seed, static_cast<std::uint32_t>(n * words + first));
    met += score_of(model, values, batch, tape).accuracy * static_cast<double>(at_once);
  }
  return met / static_cast<double>(words);
}

}  // namespace orrery::training
