// What a person should know of a figure beside the figure: each a warning where there is a terminal. Dollar signs of TeX stand
// in them as in a figure's words.
#pragma once

#include <filesystem>
#include <vector>

#include "app/recipe/recipe.h"
#include "app/recipe/runner.h"

namespace orrery::render {

/// Typefaces that it wants and this machine does not have: known before it is made. Empty: it has all. Numbers want none, and
/// LaTeX has its own.
Phrase remark_on_fonts(const recipe::Recipe&, const std::filesystem::path& target);
/// Characters that no typeface here has, and that are boxes in it. Empty: none.
Phrase remark_on_characters(const recipe::Recipe&, const recipe::Outcome&,
                            const std::filesystem::path& target);

/// What its two sides do not share, and what stands in for a file that is not chosen.
std::vector<Phrase> remarks_on(const recipe::Outcome&);

}  // namespace orrery::render
