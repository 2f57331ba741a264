// From one study on to another, with the numbers that it shows: what the window has as buttons and the command line prints.
// They travel as the table "links" of the result, so that all that has a result has them.
#pragma once

#include <string>
#include <vector>

#include "app/study/study.h"

namespace orrery::study {

struct Link {
  std::string
      of;  ///< the title of the panel that has the numbers; a press on what is chosen there follows its first link
  std::string text;     ///< which numbers go along
  std::string study;    ///< the id of the study that takes them
  std::string changes;  ///< to that study's defaults: "vector=1,2,3 eps=1e-5" (changes.h)
};

figure::Table links_table(const std::vector<Link>&);
/// Of a result; empty where it hands nothing on.
std::vector<Link> links_in(const StudyResult&);

/// The settings that a link opens its study with. Throws InvalidArgument where that study refuses them, or is none.
parameter::Settings settings_of(const Link&);

}  // namespace orrery::study
