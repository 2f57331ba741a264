// Commands that LaTeX has from packages, for a document without them.
#pragma once

#include <string>

namespace orrery::exporter::pgf {

/// A definition for each of those in `body`, where the document has none.
std::string stand_ins(const std::string& body);

/// Whether a formula in it is whole only with the packages: nothing stands in for a matrix, and for a sign its letter alone.
bool needs_packages(const std::string& body);

}  // namespace orrery::exporter::pgf
