// What a page had no room for, said.
#pragma once

#include <string>
#include <vector>

#include "app/recipe/recipe.h"
#include "core/tensor/complaint.h"

namespace orrery::render {

/// "the page has no room for “distance”, “score” and 3 more texts"; empty where nothing was left out.
Phrase left_out_phrase(const std::vector<std::string>& texts);
/// The same, with the ways there are: a larger page, or the panels that the study's `show` offers.
Phrase left_out_note(const std::vector<std::string>& texts, const recipe::Recipe&);

}  // namespace orrery::render
