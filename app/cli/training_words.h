// What train, evaluate and sweep share: their options, the line that tells how far a training is, and how they say where it
// stopped.
#pragma once

#include <chrono>
#include <string>

#include "app/cli/command.h"
#include "app/experiment/train.h"

namespace orrery::cli {

/// A loss for a person; "–" where it is no finite number.
std::string number_text(double);

Argument checkpoint_argument(std::string&);
/// --checkpoint-every: 0.001 to 3600; empty: a minute.
double checkpoint_seconds(const std::string&);

/// plan_of, and what is wrong is said of the file.
experiment::Plan plan_in(const std::string& file, const experiment::Settings&);

/// "stopped after 120 of 2000 steps; the same command goes on"
Complaint stopped_at(const experiment::Trained&, const experiment::RunFolder&);

/// "step 120/2000  loss 1.52  3 min left", over and over again on a terminal, nothing elsewhere.
class TrainingLine {
 public:
  explicit TrainingLine(std::string before = {});
  ~TrainingLine();
  TrainingLine(const TrainingLine&) = delete;
  void show(const experiment::Progress&);
  void clear();

 private:
  std::string before_;
  bool terminal_, shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace orrery::cli
