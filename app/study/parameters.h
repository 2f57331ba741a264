// Parameters that many studies declare alike.
#pragma once

#include <string_view>

#include "core/parameter/parameter.h"

namespace orrery::study {

/// Which of the figure's parts is drawn: "all|map|pairs", for show_only().
constexpr parameter::Parameter show_parameter(
    std::string_view parts, std::string_view help = "everything, or one part alone for a column of text") {
  return {.name = "show",
          .label = "Show",
          .kind = parameter::Kind::choice,
          .fallback = "all",
          .choices = parts,
          .help = help,
          .presentation = true};
}

/// Of the random numbers; `only_when` as in the declaration of any parameter.
constexpr parameter::Parameter seed_parameter(std::string_view help, std::string_view only_when = {}) {
  return {.name = "seed",
          .label = "Seed",
          .kind = parameter::Kind::integer,
          .fallback = "1",
          .min = 0,
          .max = 1000000,
          .help = help,
          .only_when = only_when};
}

/// What queries and keys are made of: one vector for all, so that places alone count, or independent ones.
constexpr parameter::Parameter content_parameter(std::string_view help) {
  return {.name = "content",
          .label = "Content",
          .kind = parameter::Kind::choice,
          .fallback = "alike",
          .choices = "alike|random",
          .help = help};
}

}  // namespace orrery::study
