// Parameters that many studies declare alike.
#pragma once

#include <string_view>

#include "app/study/kit/declare.h"

namespace orrery::study {

/// Which of the figure's panels is drawn: "all|map|pairs", the names that they have in the study's Picture.
constexpr Parameter show_parameter(
    std::string_view parts, std::string_view help = "everything, or one part alone for a column of text") {
  return choice("show", "Show", parts, help, {.presentation = true});
}

/// Of the random numbers; `only_when` as in the declaration of any parameter.
constexpr Parameter seed_parameter(std::string_view help, std::string_view only_when = {}) {
  return whole("seed", "Seed", "1", {0, 1000000}, help, {.only_when = only_when});
}

/// What queries and keys are made of: one vector for all, so that places alone count, or independent ones.
constexpr Parameter content_parameter(std::string_view help) {
  return choice("content", "Content", "alike|random", help);
}

}  // namespace orrery::study
