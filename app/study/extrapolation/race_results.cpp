#include "app/study/extrapolation/race_results.h"

#include <algorithm>
#include <iterator>

#include "app/study/kit/kept_results.h"

namespace orrery::study {

namespace {

training::RaceResult run_in(std::string_view entry) {
  const std::vector<std::string_view> words = parts(entry, ' ');
  if (words.size() != 2 + training::race_lengths.size()) refuse_results(entry);
  const auto runner = std::ranges::find(training::runners(), words[0], &training::Runner::key);
  if (runner == training::runners().end()) refuse_results(entry);
  constexpr double most_seeds = 1e6;
  training::RaceResult run{.key = runner->key,
                           .seed = static_cast<std::uint64_t>(kept_number(words[1], 0, most_seeds)),
                           .accuracy = {}};
  for (std::size_t i = 0; i < run.accuracy.size(); ++i) run.accuracy[i] = kept_number(words[2 + i], 0, 1);
  return run;
}

}  // namespace

std::vector<training::RaceResult> RaceResults::of(std::string_view key) const {
  std::vector<training::RaceResult> all;
  std::ranges::copy_if(runs, std::back_inserter(all), [&](const auto& run) { return run.key == key; });
  return all;
}

std::string text_of(const RaceResults& results) {
  std::string text = results.where + "; " + five_digits(results.steps) + " steps";
  for (const training::RaceResult& run : results.runs) {
    text += "; " + std::string(run.key) + " " + std::to_string(run.seed);
    for (const double x : run.accuracy) text += " " + five_digits(x);
  }
  return text;
}

RaceResults race_results(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() < 3) refuse_results(text);
  constexpr double most_steps = 1e6;
  RaceResults results{std::string(entries[0]), kept_count(entries[1], "steps", most_steps), {}};
  for (std::size_t i = 2; i < entries.size(); ++i) results.runs.push_back(run_in(entries[i]));
  for (const training::Runner& runner : training::runners())
    if (results.of(runner.key).empty()) refuse_results(runner.key);
  return results;
}

RaceResults shipped_race() {
  return race_results(trained_line("copy.txt"));
}

}  // namespace orrery::study
