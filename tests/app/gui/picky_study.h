// A study that refuses some of its settings.
#pragma once

#include <atomic>

#include "app/study/study.h"
#include "core/tensor/error.h"

namespace orrery::gui {

/// A study that takes only some of what its parameter allows, and counts how often it was asked.
inline constexpr parameter::Parameter picky[] = {
    {.name = "x", .label = "x", .kind = parameter::Kind::real, .fallback = "1", .min = 0, .max = 1}};
inline std::atomic<int> asked = 0;
template <double least>
study::StudyResult picky_compute(const parameter::Settings& settings, const study::Run&) {
  ++asked;
  if (settings.real("x") < least)
    throw InvalidArgument(
        about("x").found(settings.text("x")).allowed("at least {}", parameter::shortest(least)));
  study::StudyResult result;
  result.figure.panels.resize(1);
  return result;
}
template <double least>
constexpr study::Study picky_study{.id = "test/picky",
                                   .title = "Picky",
                                   .topic = "Test",
                                   .summary = "",
                                   .formula = "x",
                                   .about = "",
                                   .source = "",
                                   .parameters = picky,
                                   .tries = {},
                                   .compute = picky_compute<least>};

}  // namespace orrery::gui
