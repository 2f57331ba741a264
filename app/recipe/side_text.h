// What a recipe has computed: settings, and the side that they are compared with.
#pragma once

#include "app/recipe/reader.h"
#include "app/recipe/recipe.h"

namespace orrery::recipe {

/// What the table says, over the settings as they are.
void read_parameters(const RecipeReader&, const toml::table&, parameter::Settings&);
study::DeviceChoice read_device(const RecipeReader&, const toml::table&, study::DeviceChoice otherwise);
/// What it does not say is as on the recipe's own side.
Compare read_compare(const RecipeReader&, const toml::table&, const Recipe&);

/// As they are read, every parameter in the order of its declaration. `inside` stands before the tables' names: "figure.".
std::string parameters_text(const parameter::Settings&, std::string_view inside);
std::string device_text(study::DeviceChoice);
std::string compare_text(const Compare&, const Recipe&, std::string_view inside);

}  // namespace orrery::recipe
