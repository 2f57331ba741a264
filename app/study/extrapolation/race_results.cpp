#include "app/study/extrapolation/race_results.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "app/study/kit/kept_results.h"
#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"

namespace orrery::study {

// assets/trained/*.txt
extern const tensor::EmbeddedFile trained_results[];
extern const int trained_results_count;

namespace {

constexpr std::string_view steps_unit = " steps";

[[noreturn]] void refuse(std::string_view found) {
  throw InvalidArgument(about(Subject::Kind::parameter, "results")
                            .found_text(found)
                            .allowed("the line that a figure with retrain=on keeps in its recipe"));
}

double number_in(std::string_view text, double most) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || !(x >= 0 && x <= most)) refuse(text);
  return x;
}

training::RaceResult run_in(std::string_view entry) {
  const std::vector<std::string_view> words = parts(entry, ' ');
  if (words.size() != 2 + training::race_lengths.size()) refuse(entry);
  const auto runner = std::ranges::find(training::runners(), words[0], &training::Runner::key);
  if (runner == training::runners().end()) refuse(entry);
  constexpr double most_seeds = 1e6;
  training::RaceResult run{.key = runner->key,
                           .seed = static_cast<std::uint64_t>(number_in(words[1], most_seeds)),
                           .accuracy = {}};
  for (std::size_t i = 0; i < run.accuracy.size(); ++i) run.accuracy[i] = number_in(words[2 + i], 1);
  return run;
}

}  // namespace

std::vector<training::RaceResult> RaceResults::of(std::string_view key) const {
  std::vector<training::RaceResult> all;
  std::ranges::copy_if(runs, std::back_inserter(all), [&](const auto& run) { return run.key == key; });
  return all;
}

std::string text_of(const RaceResults& results) {
  std::string text = results.where + "; " + five_digits(results.steps) + std::string(steps_unit);
  for (const training::RaceResult& run : results.runs) {
    text += "; " + std::string(run.key) + " " + std::to_string(run.seed);
    for (const double x : run.accuracy) text += " " + five_digits(x);
  }
  return text;
}

RaceResults race_results(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() < 3 || !entries[1].ends_with(steps_unit)) refuse(text);
  constexpr double most_steps = 1e6;
  RaceResults results{std::string(entries[0]),
                      number_in(entries[1].substr(0, entries[1].size() - steps_unit.size()), most_steps),
                      {}};
  for (std::size_t i = 2; i < entries.size(); ++i) results.runs.push_back(run_in(entries[i]));
  for (const training::Runner& runner : training::runners())
    if (results.of(runner.key).empty()) refuse(runner.key);
  return results;
}

RaceResults shipped_race() {
  return race_results(trained_results[0].text);
}

}  // namespace orrery::study
