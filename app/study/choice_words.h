// What the words of a choice mean in their place.
#pragma once

#include <string>
#include <string_view>

#include "app/language/language.h"
#include "app/study/study.h"

namespace orrery::study {

/// A choice of a parameter in the words of the language: the table's line for this study, "norm/cost/show: steps", else for
/// all parameters of that label, "Filled: left", else for the word wherever it stands, else its name. Ops are called as they
/// are typed.
std::string choice_words(language::Language, const Study&, const parameter::Parameter&,
                         std::string_view choice);

}  // namespace orrery::study
