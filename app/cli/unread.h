// Settings that change nothing, as another one does not have them read.
#pragma once

#include <span>
#include <string>

#include "app/recipe/recipe.h"
#include "core/parameter/parameter.h"

namespace orrery::cli {

/// When a parameter is read: "model is own, and vector is empty", names and values as they are typed.
std::string conditions_text(const parameter::Parameter&);

/// A line for each of these parameters that nothing reads in this figure, neither of two settings that it compares: it
/// looks like the figure that was meant.
void warn_of_unread(std::span<const std::string> names, const recipe::Recipe&);

}  // namespace orrery::cli
