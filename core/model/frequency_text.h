// Numbers of a text, as core/model/frequency_file.h has them.
#pragma once

#include <string_view>
#include <vector>

namespace orrery::model {

/// Throws Failure that names the line and the word that is no number. A first line of names is passed over.
std::vector<double> frequencies_in_text(std::string_view text, std::string_view origin);

}  // namespace orrery::model
