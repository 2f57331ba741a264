// Several settings in one line of text: "base=500000 position=100"; a value with blanks in apostrophes: "text='the cat'".
#pragma once

#include <string_view>

#include "core/parameter/settings.h"

namespace orrery::study {

/// Throws InvalidArgument for a word without '=', and for what the settings refuse.
parameter::Settings changed(parameter::Settings, std::string_view changes);

}  // namespace orrery::study
