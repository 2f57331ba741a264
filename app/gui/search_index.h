// One index for all that can be looked for: studies, actions, parameters, presets. The list of studies and the palette
// ask it with the same words and get the same answers.
//
// Every word that is typed must occur: in a title, among other names, in parameters or in the text; small words ("what
// is") are passed over. Capitals do not matter, θ finds \theta. Letters apart from each other count within one word only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::gui {

/// Where the words were found: the least of the places that it takes to find them all.
enum class Found : std::uint8_t { in_words, in_parameters, in_name };

/// How much of a name was typed: some words of it, its beginning, all of it.
enum class NameMatch : std::uint8_t { partly, from_its_beginning, wholly };

/// What is searched of one thing, as fold() leaves it.
struct Indexed {
  std::string title;         ///< what it is called on the screen
  std::string names{};       ///< in English, by its id, by what else people call it
  std::string parameters{};  ///< of a study
  std::string words{};       ///< what it says
  std::string called{};      ///< whole names besides the title, one a line: in English, by its id
};

/// In small letters, Greek ones by their names in TeX: what is typed and what is searched meet here.
std::string fold(std::string_view text);
/// The words of it that count, folded.
std::vector<std::string> words_typed(std::string_view typed);

struct IndexMatch {
  int score = 0;  ///< of a thousand; a whole word before a beginning before a middle, a title before the rest
  Found found = Found::in_name;
  NameMatch named = NameMatch::partly;
  std::size_t letters = 0;  ///< of the shortest name that begins so

  /// A whole name goes before everything, then the shortest that begins so.
  bool named_before(const IndexMatch& other) const {
    if (named != other.named) return named > other.named;
    return named == NameMatch::from_its_beginning && letters < other.letters;
  }
};
std::optional<IndexMatch> match(const Indexed&, const std::vector<std::string>& words);

/// What else people call an action or a study: by its id, folded or not. Empty for most.
std::string_view synonyms(std::string_view id);
/// All ids that have some.
std::vector<std::string_view> ids_with_synonyms();

}  // namespace orrery::gui
