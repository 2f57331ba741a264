// A text as the words that stand at positions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameter/settings.h"

namespace orrery::study {

/// Divided by spaces; what is written without them, Chinese and Japanese, letter by letter.
std::vector<std::string> words_in(std::string_view text);

/// Of a parameter of kind text. Throws InvalidArgument where it has no word, or more than `most`.
std::vector<std::string> words_in(const parameter::Settings&, std::string_view name, std::size_t most);

/// The same word whether it begins a sentence or not: A to Z as a to z.
std::string uncapitalised(std::string_view word);

/// As titles, axes and tables have it: a dollar sign begins no formula.
std::string as_typed(std::string_view word);
std::vector<std::string> as_typed(std::vector<std::string> words);
/// “…”: a person's words, in no language.
std::string in_quotes(const std::string& words);

/// A number of the word, the same on every machine, so that one word has one vector wherever it stands.
std::uint64_t number_of_word(std::string_view word);

}  // namespace orrery::study
