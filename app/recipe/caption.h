// What stands below a figure or a table in a text.
#pragma once

#include <string>
#include <string_view>

#include "app/figure/figure.h"
#include "app/recipe/recipe.h"

namespace orrery::recipe {

/// The figure's own sentence, the settings that are not the usual ones, and whom the study follows: "Without a common mean
/// LayerNorm and RMSNorm agree (Common mean = 0). Source: Ba et al. 2016, …." In the language of the recipe; may hold $…$.
/// `figure` is what the study made of the recipe, in English.
std::string caption(const Recipe&, const figure::Figure&);
/// Of a table: its name first, "By length. Without a common mean …", for a study may have several; and, for it has no headings,
/// what A and B are.
std::string table_caption(const Recipe&, const figure::Figure&, std::string_view table);

}  // namespace orrery::recipe
