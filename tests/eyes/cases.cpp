#include "tests/eyes/cases.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

#include "app/figure/theme.h"
#include "core/parameter/parameter.h"

namespace orrery::eyes {
namespace {

std::vector<Case> every_case() {
  std::vector<Case> all;
  for (const study::Study* study : study::studies())
    for (const std::string_view theme : figure::theme_names())
      for (const language::Language language : {language::Language::en, language::Language::zh})
        all.push_back({study, std::string(theme), language});
  return all;
}

}  // namespace

std::string Case::name() const {
  return std::string(study->id) + ", " + theme + (language == language::Language::zh ? ", zh" : "");
}

recipe::Recipe Case::recipe() const {
  recipe::Recipe recipe;
  recipe.study = study;
  recipe.settings = parameter::Settings(study->parameters);
  recipe.theme = theme;
  recipe.language = language;
  recipe.title = true;
  recipe.dpi = 150;
  return recipe;
}

std::vector<Case> todays_cases() {
  const std::vector<Case> all = every_case();
  const char* wish = std::getenv("ORRERY_EYES");
  if (wish && std::string_view(wish) == "all") return all;
  if (wish) {
    std::vector<Case> wished;
    std::ranges::copy_if(all, std::back_inserter(wished),
                         [&](const Case& c) { return c.name().find(wish) != std::string::npos; });
    if (wished.empty())
      throw std::invalid_argument("ORRERY_EYES: found '" + std::string(wish) +
                                  "'; allowed: 'all' or a part of a name such as '" + all.back().name() +
                                  "'");
    return wished;
  }
  constexpr std::size_t turns = 60;
  const auto today =
      std::chrono::duration_cast<std::chrono::days>(std::chrono::system_clock::now().time_since_epoch());
  std::vector<Case> some;
  for (std::size_t i = static_cast<std::size_t>(today.count()) % turns; i < all.size(); i += turns)
    some.push_back(all[i]);
  return some;
}

}  // namespace orrery::eyes
