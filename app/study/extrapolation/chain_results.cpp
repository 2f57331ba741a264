#include "app/study/extrapolation/chain_results.h"

#include <algorithm>

#include "app/study/kit/kept_results.h"

namespace orrery::study {
namespace {

constexpr double most_steps = 1e6, most_seeds = 1e6, most_nat = 100;

std::vector<double> numbers_behind(const std::vector<std::string_view>& words, std::size_t first,
                                   std::size_t count, double least) {
  std::vector<double> all;
  if (words.size() != first + count) refuse_results(words.front());
  for (std::size_t i = first; i < words.size(); ++i) all.push_back(kept_number(words[i], least, most_nat));
  return all;
}

}  // namespace

std::vector<const training::Runner*> ChainResults::runners() const {
  std::vector<const training::Runner*> all;
  for (const training::Runner& runner : training::runners())
    if (!of(runner.key).empty()) all.push_back(&runner);
  return all;
}

std::vector<const ChainRun*> ChainResults::of(std::string_view key) const {
  std::vector<const ChainRun*> all;
  for (const ChainRun& run : runs)
    if (run.key == key) all.push_back(&run);
  return all;
}

std::string text_of(const ChainResults& results) {
  std::string text = results.where + "; " + five_digits(results.steps) + " steps; " +
                     five_digits(results.trained) + " tokens; floor";
  for (const double x : results.floor) text += " " + five_digits(x);
  for (const ChainRun& run : results.runs) {
    text += "; " + std::string(run.key) + " " + std::to_string(run.seed);
    for (const double x : run.above) text += " " + five_digits(x);
  }
  return text;
}

ChainResults chain_results(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() < 5) refuse_results(text);
  ChainResults results{.where = std::string(entries[0]),
                       .steps = kept_count(entries[1], "steps", most_steps),
                       .trained = kept_count(entries[2], "tokens", 512),
                       .floor = {},
                       .runs = {}};
  if (results.trained != 64 && results.trained != 512) refuse_results(entries[2]);
  const training::Trial trial{training::Task::markov, static_cast<training::Index>(results.trained)};
  const std::size_t count = training::parts_within(training::tested_tokens(trial));
  const std::vector<std::string_view> floor = parts(entries[3], ' ');
  if (floor.front() != "floor") refuse_results(entries[3]);
  results.floor = numbers_behind(floor, 1, count, 0);
  for (std::size_t i = 4; i < entries.size(); ++i) {
    const std::vector<std::string_view> words = parts(entries[i], ' ');
    const auto runner = std::ranges::find(training::runners(), words[0], &training::Runner::key);
    if (runner == training::runners().end() || words.size() < 2) refuse_results(entries[i]);
    results.runs.push_back({runner->key, static_cast<std::uint64_t>(kept_number(words[1], 0, most_seeds)),
                            numbers_behind(words, 2, count, -most_nat)});
  }
  return results;
}

ChainResults shipped_chains(double trained) {
  return chain_results(trained_line(trained == 64 ? "chains.txt" : "chains-512.txt"));
}

}  // namespace orrery::study
