// The line below a figure's title: what it is a figure of.
#pragma once

#include <string>
#include <string_view>

#include "app/recipe/recipe.h"

namespace orrery::recipe {

/// "llama-3.1-8b · Factor = 16 · Base = 10 000": the model or the op that the study is about, and the settings that are
/// not the usual ones, in the language of the page. Without what an animation moves, and without those in which the two
/// sides of a comparison differ: their own words say these. Of the first without what
/// the title says already. Empty where there is nothing to say.
std::string subtitle(const Recipe&, std::string_view title);

}  // namespace orrery::recipe
