#include "app/cli/speech.h"

#include <algorithm>
#include <span>

#include "app/language/error.h"

namespace orrery::cli {
namespace {

/// Of the whole run: one command is carried out, in one language.
language::Language now = language::Language::en;

constexpr std::string_view option = "--lang";

/// What stands behind --lang, or behind its equals sign; empty: nothing.
std::string_view code_typed(std::span<const char* const> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == option && i + 1 < words.size()) return words[i + 1];
    if (word.starts_with(option) && word.substr(option.size()).starts_with('='))
      return word.substr(option.size() + 1);
  }
  return {};
}

}  // namespace

language::Language language_asked_for(int argc, const char* const* argv) {
  const std::span words(argv, static_cast<std::size_t>(argc));
  const auto for_programs = [](std::string_view word) { return word == "--json"; };
  if (std::ranges::any_of(words, for_programs)) return language::Language::en;
  const std::string_view code = code_typed(words);
  for (const language::Named& each : language::languages())
    if (each.code == code) return each.language;
  return language::Language::en;
}

void speak(language::Language language) {
  now = language;
}

language::Language spoken() {
  return now;
}

std::string say(const Phrase& phrase) {
  return language::say_phrase(now, phrase);
}

std::string say(const Complaint& complaint) {
  try {
    return language::say_error(now, complaint);
  } catch (const std::exception&) {
    return english(complaint);
  }
}

std::string translated(std::string_view english) {
  return language::translate(now, english);
}

}  // namespace orrery::cli
