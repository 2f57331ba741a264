// What of the results of a rescue the settings ask for.
#pragma once

#include <string_view>
#include <vector>

#include "app/study/extrapolation/rescue_results.h"
#include "core/parameter/settings.h"

namespace orrery::study::extrapolation_rescue {

training::Task task_of(const parameter::Settings&);
const training::Treatment& treatment_of(const parameter::Settings&);
/// Which of rescue_words or rescue_chains: of so many times the trained length.
std::size_t place_of(const parameter::Settings&);
/// The tokens of the text that is told of: of a word those that are said again.
training::Index tokens_of(const parameter::Settings&);
/// The factor that a rule is asked for.
double factor_of(const parameter::Settings&);

/// A mean over the seeds.
template <class F>
double mean_of(const std::vector<training::RescueResult>& results, std::string_view key, F value) {
  double sum = 0, count = 0;
  for (const training::RescueResult& result : results)
    if (result.key == key) sum += value(result), ++count;
  return sum / count;
}

/// What the results say of one task, in what is drawn: shares copied, or losses.
struct Told {
  training::Task task;
  const std::vector<training::RescueResult>& results;
  const std::vector<double>& floor;

  bool more_is_better() const { return task == training::Task::copy; }
  /// The floor where a text of chains ends.
  double floor_at(std::size_t place) const {
    return task == training::Task::copy ? 0
                                        : floor[training::parts_within(training::rescue_chains[place]) - 1];
  }
  double at_once(std::string_view key, std::size_t place) const {
    return floor_at(place) +
           mean_of(results, key, [&](const training::RescueResult& r) { return r.at_once[place]; });
  }
  /// `longer`: at twice the trained length, else at the trained one.
  double tuned(std::string_view key, std::size_t steps, bool longer) const {
    const double best = task == training::Task::copy ? 0
                        : longer                     ? floor_at(0)
                                                     : floor[training::part_from(48)];
    return best +
           mean_of(results, key, [&](const training::RescueResult& r) { return r.tuned[steps][longer]; });
  }
};

/// Fails where the results hold nothing of the task.
Told told_of(const parameter::Settings&, const RescueResults&);

}  // namespace orrery::study::extrapolation_rescue
