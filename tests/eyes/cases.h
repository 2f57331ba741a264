// What is shown to foreign eyes: every study, three themes, both languages, a few of them at a time.
#pragma once

#include <string>
#include <vector>

#include "app/language/language.h"
#include "app/recipe/recipe.h"
#include "app/study/study.h"

namespace orrery::eyes {

struct Case {
  const study::Study* study;
  std::string theme;
  language::Language language;

  std::string name() const;       ///< "rope/rotation, dark, zh"
  recipe::Recipe recipe() const;  ///< with its title, at 150 dpi
};

/// Those whose turn it is: other ones each day, and in two months every one. With ORRERY_EYES=all every one, with another word
/// those that have it in their name ("rope/", "dark", "zh"); throws std::invalid_argument when none has.
std::vector<Case> todays_cases();

}  // namespace orrery::eyes
