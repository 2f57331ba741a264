// How long every study takes, and how long nobody can stop it: at its defaults, with every number at the largest value
// that it may have, and there with whichever other choice leaves the longest gap (each is stopped after three seconds).
//
//   build/release/tests/study_clock [ID…]
//
// gap: the longest time between two checks of Run, from the start to the first and from the last to the end. Of both times
// busy is the part that the thread itself was computing, which other programs on the machine do not lengthen; ops have one
// thread here, so that none waits for another. A gap over 100 ms is too long, and so is a computation over 300 ms without a
// partial figure: both are marked.
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "app/study/changes.h"
#include "app/study/study.h"
#include "core/tensor/error.h"
#include "tests/app/study/largest.h"

namespace orrery::study {
namespace {

constexpr double longest_gap = 100, longest_silence = 300, long_enough = 3000;  // ms

/// ms, of the world and of this thread.
struct Moment {
  double wall, busy;
};

Moment now() {
  timespec of_thread{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &of_thread);
  const auto of_world = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double, std::milli>(of_world).count(),
          1e3 * static_cast<double>(of_thread.tv_sec) + 1e-6 * static_cast<double>(of_thread.tv_nsec)};
}

struct Timing {
  Moment total{}, gap{};
  int checks = 0, partials = 0, steps = 0;
  bool stopped = false;
  std::string complaint = {};
};

Timing timed(const Study& study, const parameter::Settings& settings,
             double limit = std::numeric_limits<double>::infinity()) {
  std::stop_source stop;
  Timing t;
  const Moment start = now();
  Moment last = start;
  const auto look = [&] {
    const Moment at = now();
    t.gap = {std::max(t.gap.wall, at.wall - last.wall), std::max(t.gap.busy, at.busy - last.busy)};
    last = at;
  };
  Run run;
  run.stop = stop.get_token();
  run.on_check = [&] {
    look();
    if (last.wall - start.wall > limit) stop.request_stop();
    ++t.checks;
  };
  run.on_partial = [&](const StudyResult&) {
    ++t.partials;
    last = now();
  };
  run.on_progress = [&](double) { ++t.steps; };
  try {
    study.compute(settings, run);
  } catch (const Cancelled&) {
    t.stopped = true;
  } catch (const std::exception& error) {
    t.complaint = error.what();
  }
  look();
  const Moment end = now();
  t.total = {end.wall - start.wall, end.busy - start.busy};
  return t;
}

void print(std::string_view id, const std::string& settings, const Timing& t) {
  const bool gap = t.gap.busy > longest_gap,
             silent = t.total.busy > longest_silence && t.partials == 0 && !t.stopped;
  std::printf("%-22.*s %-34s %9.1f %9.1f %8.1f %8.1f %7d %6d %6d%s%s  %s\n", static_cast<int>(id.size()),
              id.data(), settings.c_str(), t.total.wall, t.total.busy, t.gap.wall, t.gap.busy, t.checks,
              t.steps, t.partials, gap ? "  GAP" : "", silent ? "  SILENT" : "", t.complaint.c_str());
  std::fflush(stdout);
}

void measure(const Study& study) {
  print(study.id, "defaults", timed(study, parameter::Settings(study.parameters)));
  const Timing at_largest = timed(study, largest(study));
  print("", "largest", at_largest);
  Timing worst = at_largest;
  std::string how;
  for (const std::string& choice : other_choices(study)) {
    const Timing t = timed(study, changed(largest(study), choice), long_enough);
    if (t.gap.busy <= 1.1 * worst.gap.busy) continue;
    worst = t;
    how = choice;
  }
  if (!how.empty()) print("", "largest, " + how, worst);
}

}  // namespace
}  // namespace orrery::study

int main(int count, char** words) {
  using namespace orrery::study;
  std::vector<const Study*> wanted;
  for (int i = 1; i < count; ++i) wanted.push_back(&find(words[i]));
  if (wanted.empty()) wanted.assign(studies().begin(), studies().end());
  omp_set_num_threads(1);
  std::printf("%-22s %-34s %9s %9s %8s %8s %7s %6s %6s\n", "study", "settings", "total ms", "busy ms",
              "gap ms", "busy ms", "checks", "steps", "partial");
  for (const Study* study : wanted) measure(*study);
  return 0;
}
