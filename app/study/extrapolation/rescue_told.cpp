#include "app/study/extrapolation/rescue_told.h"

#include "app/study/kit.h"
#include "app/study/kit/kept_results.h"

namespace orrery::study::extrapolation_rescue {

using training::Task;
using training::Treatment;
using training::treatments;

Task task_of(const Settings& settings) {
  return settings.choice("task") == "copy" ? Task::copy : Task::markov;
}

const Treatment& treatment_of(const Settings& settings) {
  return *std::ranges::find(treatments(), settings.choice("treatment"), &Treatment::key);
}

std::size_t place_of(const Settings& settings) {
  const bool twice = settings.choice("times") == "2";
  if (task_of(settings) == Task::markov) return twice ? 0 : 1;
  return static_cast<std::size_t>(std::ranges::find(training::rescue_words, twice ? 60 : 120) -
                                  training::rescue_words.begin());
}

training::Index tokens_of(const Settings& settings) {
  return task_of(settings) == Task::copy ? training::rescue_words[place_of(settings)]
                                         : training::rescue_chains[place_of(settings)];
}

double factor_of(const Settings& settings) {
  const double tokens = number(tokens_of(settings));
  return (task_of(settings) == Task::copy ? 2 * tokens + 2 : tokens) /
         training::trained_tokens(task_of(settings));
}

Told told_of(const Settings& settings, const RescueResults& results) {
  const Task task = task_of(settings);
  if (results.of(task).empty()) refuse_results(settings.choice("task"));
  return {task, results.of(task), results.floor};
}

}  // namespace orrery::study::extrapolation_rescue
