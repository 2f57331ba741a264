#include "core/training/rescue.h"

#include <algorithm>

namespace orrery::training {
namespace {

using position::RopeReading;
using position::RopeType;

constexpr double few_turns = 4;  // of L = 64, in which the fastest pair turns ten times

constexpr auto all_treatments = std::to_array<Treatment>({
    {.key = "none", .name = "no rule"},
    {.key = "pi", .name = "PI", .rule = RopeType::linear},
    {.key = "ntk", .name = "NTK", .rule = RopeType::ntk},
    {.key = "by_parts", .name = "by parts", .rule = RopeType::by_parts, .beta_fast = few_turns},
    {.key = "yarn", .name = "YaRN, code", .rule = RopeType::yarn},
    {.key = "yarn_paper_4",
     .name = "YaRN, paper, 4 turns",
     .rule = RopeType::yarn,
     .reading = RopeReading::paper,
     .beta_fast = few_turns},
    {.key = "yarn_paper_32",
     .name = "YaRN, paper, 32 turns",
     .rule = RopeType::yarn,
     .reading = RopeReading::paper},
    {.key = "log_n", .name = "log-n", .log_n = true},
    {.key = "window", .name = "window", .window = true},
});

/// Twice what was trained; of words those of 60 tokens.
double twice(Task task) {
  return task == Task::copy ? 122 / trained_tokens(task) : 2;
}

const Runner& rope_runner() {
  return *std::ranges::find(runners(), "rope", &Runner::key);
}

double tokens_of(Index n) {
  return static_cast<double>(2 * n + 2);
}

Plan tuning_plan(const Treatment& treatment, Task task, const transformer::Config& model,
                 std::vector<float> values, std::uint64_t seed) {
  Plan plan;
  plan.settings = trial_settings(task == Task::copy ? copy_trial : markov_trial, rope_runner(), 1, seed);
  plan.settings.model = treated(treatment, task, model, twice(task));
  plan.settings.schedule = {.kind = Schedule::Kind::constant, .highest = 5e-4, .warm_up = 50};
  plan.steps = tuning_steps.back();
  plan.looks = {tuning_steps.begin() + 1, tuning_steps.end()};
  plan.from = std::move(values);
  const std::uint64_t other = seed + 1000;  // words that the first training did not have
  if (task == Task::copy) {
    plan.task = "copy of 4 to 60 of 64 tokens, 1240 at once, seed " + std::to_string(other);
    plan.batch = [other](std::uint64_t step) { return CopyTask{.longest = 60}.training(other, step); };
  } else {
    const MarkovTask longer{.length = 128, .sequences = 8};
    plan.task = "chains of 8 states, 0.3, 128 tokens, 8 at once, seed " + std::to_string(other);
    plan.batch = [other, longer](std::uint64_t step) { return longer.training(other, step); };
  }
  return plan;
}

/// At the trained length and at twice it, with the s of twice it.
std::array<double, 2> at_both(const Treatment& treatment, Task task, const transformer::Config& model,
                              std::span<const float> values, const std::function<void()>& between) {
  const transformer::Config config = treated(treatment, task, model, twice(task));
  if (task == Task::copy) return {copied(config, values, 30, between), copied(config, values, 60, between)};
  const std::vector<double> above = above_floor(config, values, 128, between);
  return {above[part_from(48)], above[part_from(112)]};
}

void test_at_once(const Treatment& treatment, Task task, const transformer::Config& model,
                  std::span<const float> values, const std::function<void()>& between, RescueResult& result) {
  if (task == Task::copy) {
    for (const Index n : rescue_words)
      result.at_once.push_back(
          copied(treated(treatment, task, model, tokens_of(n) / trained_tokens(task)), values, n, between));
    return;
  }
  for (const Index tokens : rescue_chains) {
    const double factor = static_cast<double>(tokens) / trained_tokens(task);
    result.by_part = above_floor(treated(treatment, task, model, factor), values, tokens, between);
    result.at_once.push_back(result.by_part.back());  // the parts end in an eighth of each of these lengths
  }
}

}  // namespace

std::span<const Treatment> treatments() {
  return all_treatments;
}

double trained_tokens(Task task) {
  return static_cast<double>(task == Task::copy ? copy_trial.length : markov_trial.length);
}

position::RopeRule rule_of(const Treatment& treatment, Task task, const transformer::Config& model,
                           double factor) {
  return {.type = treatment.rule,
          .rotary_dim = model.head_width > 0 ? model.head_width : model.width / model.heads,
          .base = model.rope.base,
          .factor = std::max(1.0, factor),
          .reading = treatment.reading,
          .original_length = trained_tokens(task),
          .beta_fast = treatment.beta_fast};
}

transformer::Config treated(const Treatment& treatment, Task task, transformer::Config model, double factor) {
  if (treatment.rule != RopeType::standard) {
    const position::RopeRule rule = rule_of(treatment, task, model, factor);
    model = turned_by(rule, std::move(model));
  }
  if (treatment.log_n) model.score_log_n = {.trained = trained_tokens(task), .clipped = true};
  if (treatment.window) model.window = static_cast<Index>(trained_tokens(task));
  return model;
}

std::vector<RescueResult> rescue(Task task, Index steps, std::uint64_t seed,
                                 const std::filesystem::path& folder, const Between& between) {
  const Plan plan = trial_plan(task == Task::copy ? copy_trial : markov_trial, rope_runner(), steps, seed);
  // By the steps that are taken, tests counted as about so many.
  constexpr double tests = 100;
  const double each = static_cast<double>(tuning_steps.back()) + tests;
  const double all = static_cast<double>(steps) + each * static_cast<double>(all_treatments.size());
  double done = static_cast<double>(steps) / all;
  const Trained model = train(plan, folder, part_of(between, 0, done));
  const transformer::Config config = transformer::resolved(plan.settings.model);

  std::vector<RescueResult> results;
  for (const Treatment& treatment : all_treatments) {
    const double end = done + each / all;
    const Trained tuned = train(tuning_plan(treatment, task, config, model.values, seed), folder,
                                part_of(between, done, end - tests / all));
    const auto pause = [&] { between(end - tests / all); };
    RescueResult& result = results.emplace_back();
    result.key = treatment.key;
    result.seed = seed;
    test_at_once(treatment, task, config, model.values, pause, result);
    result.tuned[0] = at_both(treatment, task, config, model.values, pause);
    for (std::size_t i = 0; i < tuned.looks.size(); ++i)
      result.tuned[i + 1] = at_both(treatment, task, config, tuned.looks[i], pause);
    done = end;
  }
  return results;
}

}  // namespace orrery::training
