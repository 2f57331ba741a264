// What a title says, taken apart, and the tables that it is held against. Nothing here asks the code that made the title.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/language/pattern.h"
#include "app/study/study.h"

namespace orrery::study::titles {

/// A figure's title or a panel's heading, beside the result that it stands over.
struct Said {
  const Study& study;
  const parameter::Settings& settings;
  const StudyResult& result;
  std::string text;

  bool is(std::string_view words) const { return text == words; }
  /// What stands at the places of a pattern ("{} of {} pairs"), or nothing where the text is another.
  std::optional<std::vector<std::string>> as(std::string_view pattern) const;

  /// A column of a table, by their names. Throws where there is none.
  const std::vector<double>& column(std::string_view table, std::string_view column) const;
  const figure::Table& table(std::string_view name) const;

  /// The same study at other settings: what one figure does not draw.
  StudyResult with(std::string_view name, std::string_view value) const;
};

/// The number that the words are: thin spaces between digits, a true minus, $4 \times 10^{-6}$. NaN where they are none.
double number_of(std::string_view words);

/// Whether the words are this number in so many significant digits; a power of ten has one digit.
bool says(std::string_view words, double value, int significant);
/// Whether they are the number itself, as far as a label's six digits go.
bool says(std::string_view words, double value);
/// Whether the noun is the one for this number.
bool counts(std::string_view number, std::string_view noun, std::string_view one, std::string_view many);

/// What a study says, and how it is judged: `title` and each heading with a number must be true of the tables.
struct Claims {
  std::string_view study;
  bool (*title)(const Said&);
  bool (*heading)(const Said&) = nullptr;  ///< nullptr: no heading has a number
};

/// Entries stand in the files beside this one, or in the test of their study; each file's are there once the program runs.
struct Entries {
  Entries(std::initializer_list<Claims>);
};
const std::vector<Claims>& all_claims();

}  // namespace orrery::study::titles
