#include "app/study/extrapolation/race_told.h"

#include "app/study/kit.h"

namespace orrery::study::extrapolation_race {

using training::Runner;

double Told::longest_trained() const {
  constexpr double longest_word = 30;
  return copy() ? longest_word : number(trial.length);
}

std::vector<double> Told::x() const {
  if (!copy()) return training::part_middles(race_places(trial));
  return {training::race_lengths.begin(), training::race_lengths.end()};
}

Spread Told::at(std::string_view key, std::size_t i) const {
  Spread all;
  const std::vector<RaceRun> runs = results.of(key);
  for (const RaceRun& run : runs) {
    all.mean += run.values[i] / number(runs.size());
    all.least = std::min(all.least, run.values[i]);
    all.most = std::max(all.most, run.values[i]);
  }
  return all;
}

const RaceTask& task_of(const Settings& settings) {
  return *std::ranges::find(race_tasks, settings.choice("task"), &RaceTask::key);
}

training::Index tokens_of(const Settings& settings) {
  const training::Trial& trial = task_of(settings).trial;
  if (trial.task == training::Task::copy) return std::stoi(settings.choice("length"));
  return trial == training::long_trial ? 2 * trial.length
                                       : std::stoi(settings.choice("times")) * trial.length;
}

namespace {

const TaskResults& of_task(const Settings& settings, const RaceResults& results) {
  return results.tasks[static_cast<std::size_t>(&task_of(settings) - race_tasks.data())];
}

}  // namespace

bool has_task(const Settings& settings, const RaceResults& results) {
  return !of_task(settings, results).runs.empty();
}

Told told_of(const Settings& settings, const RaceResults& results) {
  const training::Trial& trial = task_of(settings).trial;
  const training::Index tokens = tokens_of(settings);
  const std::size_t place = trial.task == training::Task::copy
                                ? static_cast<std::size_t>(std::ranges::find(training::race_lengths, tokens) -
                                                           training::race_lengths.begin())
                                : training::parts_within(tokens) - 1;
  return {trial, of_task(settings, results), place};
}

std::vector<Runner> trained_ones() {
  const auto all = training::runners().first(static_cast<std::size_t>(training::trained_runners()));
  return {all.begin(), all.end()};
}

std::vector<Runner> ropes() {
  return training::tested_as(*std::ranges::find(training::runners(), "rope", &Runner::key));
}

}  // namespace orrery::study::extrapolation_race
