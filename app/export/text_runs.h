// A label is prose with mathematics between dollar signs; here it is taken apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::exporter {

struct TextRun {
  std::string text;
  bool math = false;
};

/// Alternating prose and mathematics, empty runs left out. `\$` in prose is a dollar sign; a dollar sign
/// without a partner is one too. Bytes that are not UTF-8 come out as U+FFFD.
std::vector<TextRun> split_text(std::string_view);

/// For a file's title, a table's header or a terminal: the dollar signs gone, \sigma as σ, b^{1-2/d} as b^(1-2/d),
/// \frac{a}{b} as a/b, other TeX as it stands.
std::string plain_text(std::string_view);

}  // namespace orrery::exporter
