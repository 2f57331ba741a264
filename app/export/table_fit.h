// A table that is wider than an article's text: heads in several lines, long words in paragraphs, and letters as small as
// the document needs, which TeX finds out where the table is set. Needs no package.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::exporter {

/// About as wide as so many digits.
struct LatexCell {
  std::string tex;
  std::size_t letters = 0;
};

struct LatexColumn {
  std::string label{};  ///< of its head, with $…$
  bool words = false;   ///< they begin at the left; numbers end at the right
  std::vector<LatexCell> cells{};
};

/// As an article sets it at ten points, roughly; pt.
double natural_width(const std::vector<LatexColumn>&);
/// What an article's line holds, less what that is wrong by; and one of two columns.
inline constexpr double width_of_a_text = 330, width_of_a_column = 245;

/// The heads as LaTeX: of a table that is too wide, in as many lines as make them no wider than the cells below.
std::vector<std::string> latex_heads(const std::vector<LatexColumn>&, bool wide);

/// Cells of many words as paragraphs, which may break.
void wrap_long_words(std::vector<LatexColumn>&);

/// `body` with letters of the size at which its heads and its widest cells fit the line; where even the smallest do not, TeX
/// says so in its log.
std::string fitted(const std::string& body, const std::vector<LatexColumn>&,
                   const std::vector<std::string>& heads, const std::string& name);

/// "rrl"
std::string alignment(const std::vector<LatexColumn>&);

}  // namespace orrery::exporter
