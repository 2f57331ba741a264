// What a person means by a few letters: "exp pdf" finds "Export as PDF", and so does "epdf".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace orrery::gui {

struct FuzzyMatch {
  int score = 0;                   ///< more is better
  std::vector<std::size_t> where;  ///< bytes of the text that were meant, ascending
};

/// Every word that was typed occurs in the text: best at the beginning of one of its words, else anywhere, else letter
/// by letter in order. Capitals do not matter. Nothing typed finds everything, with a score of 0.
std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text);

}  // namespace orrery::gui
