#include "app/study/extrapolation/race_results.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/study/kit/kept_results.h"

namespace orrery::study {
namespace {

using training::Task;

constexpr double most_race_nat = 100, most_floor = 2.0795;  // a floor is at most ln 8 = 2.07944

std::vector<double> values_in(std::span<const std::string_view> words, const RaceTask& task, double least,
                              double most, std::string_view entry) {
  if (words.size() != race_places(task.trial)) refuse_results(entry);
  std::vector<double> values;
  for (const std::string_view word : words) values.push_back(kept_number(word, least, most));
  return values;
}

void read_entry(std::string_view entry, RaceResults& results) {
  const std::vector<std::string_view> all = parts(entry, ' ');
  std::span<const std::string_view> words = all;
  const auto named =
      std::ranges::find(race_tasks, words.empty() ? std::string_view() : words[0], &RaceTask::key);
  const RaceTask& task = named == race_tasks.end() ? race_tasks[0] : *named;
  if (named != race_tasks.end()) words = words.subspan(1);
  TaskResults& told = results.tasks[static_cast<std::size_t>(&task - race_tasks.data())];
  const bool chains = task.trial.task == Task::markov;
  if (chains && !words.empty() && words[0] == "floor") {
    if (!told.floor.empty()) refuse_results(entry);
    told.floor = values_in(words.subspan(1), task, 0, most_floor, entry);
    return;
  }
  if (words.size() < 2) refuse_results(entry);
  const auto runner = std::ranges::find(training::runners(), words[0], &training::Runner::key);
  if (runner == training::runners().end()) refuse_results(entry);
  constexpr double most_seeds = 1e6;
  const double seed = kept_number(words[1], 0, most_seeds);
  RaceRun run{.key = runner->key,
              .seed = static_cast<std::uint64_t>(seed),
              .values = values_in(words.subspan(2), task, chains ? -most_race_nat : 0,
                                  chains ? most_race_nat : 1, entry)};
  const bool twice = std::ranges::any_of(
      told.runs, [&](const RaceRun& other) { return other.key == run.key && other.seed == run.seed; });
  if (twice || seed != std::floor(seed)) refuse_results(entry);
  told.runs.push_back(std::move(run));
}

}  // namespace

std::vector<RaceRun> TaskResults::of(std::string_view key) const {
  std::vector<RaceRun> all;
  std::ranges::copy_if(runs, std::back_inserter(all), [&](const auto& run) { return run.key == key; });
  return all;
}

std::size_t race_places(const training::Trial& trial) {
  return trial.task == Task::copy ? training::race_lengths.size()
                                  : training::parts_within(training::tested_tokens(trial));
}

std::string text_of(const RaceResults& results) {
  std::string text = results.where + "; " + five_digits(results.steps) + " steps";
  for (std::size_t i = 0; i < race_tasks.size(); ++i) {
    const std::string task = i == 0 ? "" : std::string(race_tasks[i].key) + " ";
    const auto add = [&](const std::string& what, const std::vector<double>& values) {
      text += "; " + task + what;
      for (const double x : values) text += " " + five_digits(x);
    };
    if (!results.tasks[i].floor.empty()) add("floor", results.tasks[i].floor);
    for (const RaceRun& run : results.tasks[i].runs)
      add(std::string(run.key) + " " + std::to_string(run.seed), run.values);
  }
  return text;
}

RaceResults race_results(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() < 3) refuse_results(text);
  constexpr double most_steps = 1e6;
  RaceResults results{std::string(entries[0]), kept_count(entries[1], "steps", most_steps), {}};
  for (std::size_t i = 2; i < entries.size(); ++i) read_entry(entries[i], results);
  for (std::size_t i = 0; i < race_tasks.size(); ++i) {
    const TaskResults& task = results.tasks[i];
    if (task.runs.empty() && task.floor.empty()) continue;
    if (race_tasks[i].trial.task == Task::markov && task.floor.empty()) refuse_results(race_tasks[i].key);
    for (const training::Runner& runner : training::runners())
      if (task.of(runner.key).empty()) refuse_results(runner.key);
  }
  return results;
}

RaceResults shipped_race() {
  return race_results(trained_line("race.txt"));
}

}  // namespace orrery::study
