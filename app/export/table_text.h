// Tables for a text: Markdown, and LaTeX's booktabs. Numbers as the window shows them: as many digits as their column has,
// powers of ten as powers.
#pragma once

#include <string>
#include <string_view>

#include "app/figure/table.h"

namespace orrery::exporter {

/// A pipe table, as pandoc and GitHub read it; mathematics stays in dollar signs. `caption`, where there is one, is pandoc's
/// line below it.
std::string markdown_table(const figure::Table&, std::string_view caption);

/// A tabular with the rules of booktabs, or a longtable where a page could not hold it. With a caption it is a float of its
/// own. One that is wide has heads of several lines and letters as small as the document's line asks for. It does without
/// other packages.
std::string latex_table(const figure::Table&, std::string_view caption, const std::string& stem);

}  // namespace orrery::exporter
