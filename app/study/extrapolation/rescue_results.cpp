#include "app/study/extrapolation/rescue_results.h"

#include <algorithm>

#include "app/study/kit/kept_results.h"

namespace orrery::study {
namespace {

using training::RescueResult;
using training::Task;

constexpr double most_rescue_steps = 1e6, most_rescue_seeds = 1e6, most_rescue_nat = 100;

/// Whether a model that is treated in one way stands there for every seed that stands there at all.
bool complete(const std::vector<RescueResult>& results) {
  return std::ranges::all_of(results, [&](const RescueResult& one) {
    return std::ranges::all_of(training::treatments(), [&](const training::Treatment& treatment) {
      return std::ranges::any_of(results, [&](const RescueResult& other) {
        return other.key == treatment.key && other.seed == one.seed;
      });
    });
  });
}

RescueResult result_in(std::string_view entry, Task task) {
  const std::vector<std::string_view> words = parts(entry, ' ');
  const bool copy = task == Task::copy;
  const std::size_t at_once = copy ? training::rescue_words.size() : training::rescue_chains.size();
  const std::size_t by_part = copy ? 0 : training::parts_within(training::rescue_chains.back());
  RescueResult result;
  if (words.size() != 3 + at_once + by_part + 2 * result.tuned.size()) refuse_results(entry);
  const auto treatment = std::ranges::find(training::treatments(), words[1], &training::Treatment::key);
  if (treatment == training::treatments().end()) refuse_results(entry);
  result.key = treatment->key;
  result.seed = static_cast<std::uint64_t>(kept_number(words[2], 0, most_rescue_seeds));
  auto next = words.begin() + 3;
  const auto number_in_turn = [&] {
    return copy ? kept_number(*next++, 0, 1) : kept_number(*next++, -most_rescue_nat, most_rescue_nat);
  };
  for (std::size_t i = 0; i < at_once; ++i) result.at_once.push_back(number_in_turn());
  for (std::size_t i = 0; i < by_part; ++i) result.by_part.push_back(number_in_turn());
  for (auto& both : result.tuned)
    for (double& x : both) x = number_in_turn();
  return result;
}

void add(std::string& text, std::string_view task, const RescueResult& result) {
  text += "; " + std::string(task) + " " + std::string(result.key) + " " + std::to_string(result.seed);
  for (const double x : result.at_once) text += " " + five_digits(x);
  for (const double x : result.by_part) text += " " + five_digits(x);
  for (const auto& both : result.tuned)
    for (const double x : both) text += " " + five_digits(x);
}

}  // namespace

training::Index chain_steps(double steps) {
  return static_cast<training::Index>(1.5 * steps);
}

std::string text_of(const RescueResults& results) {
  std::string text = results.where + "; " + five_digits(results.steps) + " steps; floor";
  for (const double x : results.floor) text += " " + five_digits(x);
  for (const RescueResult& result : results.words) add(text, "copy", result);
  for (const RescueResult& result : results.chains) add(text, "chains", result);
  return text;
}

RescueResults rescue_results(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() < 4) refuse_results(text);
  RescueResults results{.where = std::string(entries[0]),
                        .steps = kept_count(entries[1], "steps", most_rescue_steps),
                        .floor = {},
                        .words = {},
                        .chains = {}};
  const std::vector<std::string_view> floor = parts(entries[2], ' ');
  if (floor.size() != 1 + training::parts_within(training::rescue_chains.back()) || floor[0] != "floor")
    refuse_results(entries[2]);
  for (std::size_t i = 1; i < floor.size(); ++i)
    results.floor.push_back(kept_number(floor[i], 0, most_rescue_nat));
  for (std::size_t i = 3; i < entries.size(); ++i) {
    if (entries[i].starts_with("copy "))
      results.words.push_back(result_in(entries[i], Task::copy));
    else if (entries[i].starts_with("chains "))
      results.chains.push_back(result_in(entries[i], Task::markov));
    else
      refuse_results(entries[i]);
  }
  if (!complete(results.words) || !complete(results.chains)) refuse_results(text);
  return results;
}

RescueResults shipped_rescue() {
  return rescue_results(trained_line("rescue.txt"));
}

}  // namespace orrery::study
