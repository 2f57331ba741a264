// How trainings went, as one line of text that a recipe keeps: the loss and the length of the updates, over stretches of steps
// that grow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/training/kept_training.h"

namespace orrery::study {

/// The steps from one of these up to, but not, the next: 1, 2, 3 … one by one, later so many that a stretch is a twelfth of
/// where it begins. Steps are counted from one.
std::vector<std::int64_t> stretches(std::int64_t steps);

struct TrainedCourse {
  std::string key;
  std::uint64_t seed = 0;
  std::vector<double> loss, moved;  ///< means over each stretch
};

struct Courses {
  std::string where;             ///< "AMD EPYC, 2026-11-24"
  std::vector<double> settings;  ///< what they were trained with, in the order that the study says
  std::int64_t steps = 0;
  std::vector<TrainedCourse> runs;
  std::vector<double> measured;  ///< other numbers that the study keeps

  /// The mean over the seeds of what `of` picks.
  std::vector<double> mean(std::string_view key, std::vector<double> TrainedCourse::*of) const;
  /// Where stretches stand: their middles, as log axes have it.
  std::vector<double> places() const;
};

TrainedCourse course_of(std::string key, std::uint64_t seed, const training::Trained&);

/// "AMD EPYC, 2026-11-24; 400 steps; settings 12 0.003; measured 1.5; post 1 2.1 … 0.01 …; …".
std::string text_of(const Courses&);
/// With so many settings and measured numbers, and each of these keys at least once; else throws InvalidArgument that names the
/// parameter `results`.
Courses courses_in(std::string_view text, const std::vector<std::string_view>& keys, std::size_t settings,
                   std::size_t measured);

}  // namespace orrery::study
