// The line below a figure's title: what it is a figure of.
#pragma once

#include <string>
#include <string_view>

#include "app/language/language.h"
#include "app/recipe/recipe.h"

namespace orrery::recipe {

/// "Llama 3.1 8B · Factor = 16 · Base = 10 000": the model or the op that the study is about, and the settings that are
/// not the usual ones, in the language of the page. Without what an animation moves, and without those in which the two
/// sides of a comparison differ: their own words say these. Of the first without what
/// the title says already. Empty where there is nothing to say.
std::string subtitle(const Recipe&, std::string_view title);

/// "A: Base = 10 000 · B: Base = 500 000": in what the sides of a comparison of one study differ. Empty: there are no two.
std::string sides_text(const Recipe&);

/// A parameter's unit behind a value that is said so, with the space before it: " tokens", and of "1" " token" in a
/// language that has a word for one. Empty where there is no unit.
std::string unit_behind(std::string_view value, std::string_view unit, language::Language);

}  // namespace orrery::recipe
