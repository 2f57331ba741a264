#include "app/cli/training_words.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "app/cli/arguments.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/recipe/pace.h"
#include "core/tensor/error.h"

namespace orrery::cli {

std::string number_text(double x) {
  return std::isfinite(x) ? short_number(x) : "–";
}

Argument checkpoint_argument(std::string& seconds) {
  return {"--checkpoint-every", &seconds, "SECONDS", "between two checkpoints: what can be lost (60)"};
}

double checkpoint_seconds(const std::string& text) {
  constexpr double a_minute = 60, least = 0.001, most = 3600;
  return text.empty() ? a_minute : parse_number("--checkpoint-every", text, least, most);
}

experiment::Plan plan_in(const std::string& file, const experiment::Settings& settings) {
  try {
    return experiment::plan_of(settings);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.complaint().within(in_file(file)));
  } catch (const Failure& error) {
    throw Failure(error.complaint().within(in_file(file)));
  }
}

Complaint stopped_at(const experiment::Trained& trained, const experiment::RunFolder& folder) {
  return about(Subject::Kind::file, folder.path().string())
      .fault("stopped and saved after {} of {} steps; the same command goes on", trained.step, trained.steps);
}

TrainingLine::TrainingLine(std::string before)
    : before_(std::move(before)), terminal_(::isatty(STDERR_FILENO) == 1) {}

TrainingLine::~TrainingLine() {
  clear();
}

void TrainingLine::show(const experiment::Progress& p) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || (shown_ && now - last_ < 200ms)) return;
  last_ = now;
  const std::string line = say("step {} of {}, loss {}, {} left", p.step, p.steps, number_text(p.loss),
                               recipe::time_left(spoken(), p.seconds_left));
  std::fprintf(stderr, "\r%s%s\033[K", before_.c_str(), line.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void TrainingLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace orrery::cli
