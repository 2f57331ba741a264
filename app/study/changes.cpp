#include "app/study/changes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/tensor/error.h"

namespace orrery::study {

namespace {

/// What blanks separate; a value that begins with an apostrophe ends at the next one, and may hold blanks.
std::vector<std::string> words_of(std::string_view changes) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = changes.find_first_not_of(blanks, at)) != changes.npos;) {
    const std::size_t end = std::min(changes.find_first_of(blanks, at), changes.size());
    const std::size_t equals = changes.find('=', at);
    if (equals < end && changes.substr(equals + 1).starts_with('\'')) {
      const std::size_t close = changes.find('\'', equals + 2);
      if (close != changes.npos) {
        words.push_back(std::string(changes.substr(at, equals + 1 - at)) +
                        std::string(changes.substr(equals + 2, close - equals - 2)));
        at = close + 1;
        continue;
      }
    }
    words.emplace_back(changes.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

parameter::Settings changed(parameter::Settings settings, std::string_view changes) {
  for (const std::string& word : words_of(changes)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InvalidArgument(Complaint().found_text(word).allowed("name=value, several apart by spaces, a value of several words in quotes"));
    settings.set(std::string_view(word).substr(0, equals), std::string_view(word).substr(equals + 1));
  }
  return settings;
}

}  // namespace orrery::study
