// The parts of a recipe that are not the study's: the page, what was zoomed on it, what moves.
#pragma once

#include "app/recipe/reader.h"
#include "app/recipe/recipe.h"

namespace orrery::recipe {

void read_page(const RecipeReader&, const toml::table&, Recipe&);
void read_view(const RecipeReader&, const toml::array&, figure::View&);
Animation read_animation(const RecipeReader&, const toml::table&, const parameter::Settings&);

/// As they are read; nothing where there is nothing to say. `inside` stands before the tables' names: "figure.".
std::string page_text(const Recipe&, std::string_view inside);
std::string view_text(const figure::View&, std::string_view inside);
std::string animation_text(const Animation&, std::string_view inside);

/// A TOML float must look like one: 500000 would read back as an integer.
std::string float_text(double);

}  // namespace orrery::recipe
