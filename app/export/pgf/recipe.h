// The recipe as comments of LaTeX.
#pragma once

#include <string>

namespace orrery::exporter::pgf {

std::string recipe_comment(const std::string& recipe);

}  // namespace orrery::exporter::pgf
