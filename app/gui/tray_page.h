// What the tray's figures are written with in place of what each was collected with.
#pragma once

#include <optional>
#include <string>

#include "app/figure/page_size.h"
#include "app/recipe/recipe.h"

namespace orrery::gui {

struct TrayPage {
  std::string size, theme;  ///< empty: each as collected
  int dpi = 0;              ///< 0: likewise
  std::optional<language::Language> language{};

  void apply(recipe::Recipe& recipe) const {
    if (!size.empty()) recipe.size = figure::parse_size(size);
    if (!theme.empty()) recipe.theme = theme;
    if (dpi > 0) recipe.dpi = dpi;
    if (language) recipe.language = *language;
  }
};

}  // namespace orrery::gui
