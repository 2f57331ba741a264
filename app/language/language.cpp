#include "app/language/language.h"

#include <algorithm>
#include <array>

#include "app/language/dictionary.h"
#include "app/language/read_table.h"
#include "core/tensor/error.h"

namespace orrery::language {
namespace {

constexpr std::array named_languages{Named{Language::en, "en", "English"}, Named{Language::zh, "zh", "中文"}};

}  // namespace

std::span<const Named> languages() {
  return named_languages;
}

std::string_view code(Language language) {
  return named_languages[static_cast<std::size_t>(language)].code;
}

std::string_view own_name(Language language) {
  return named_languages[static_cast<std::size_t>(language)].own_name;
}

std::string codes() {
  std::string text;
  for (const Named& named : named_languages) text += (text.empty() ? "" : ", ") + std::string(named.code);
  return text;
}

Language language_of(std::string_view code) {
  const auto found = std::find_if(named_languages.begin(), named_languages.end(),
                                  [&](const Named& n) { return n.code == code; });
  if (found == named_languages.end())
    throw InvalidArgument(about(Subject::Kind::key, "language")
                              .found(code)
                              .fault("{} is not spoken here", in_apostrophes(code))
                              .allowed(name_phrase(codes())));
  return found->language;
}

const Dictionary& dictionary(Language language) {
  static const Dictionary english;
  if (language == Language::en) return english;
  static const Dictionary chinese(read_tables(code(Language::zh)));
  return chinese;
}

std::string translate(Language language, std::string_view english) {
  return language == Language::en ? std::string(english) : dictionary(language).translate(english);
}

std::string say_with(Language language, std::string_view english, std::span<const std::string> parts) {
  const std::string* said = language == Language::en ? nullptr : dictionary(language).exact(english);
  return Pattern(said ? *said : english).fill(parts);
}

}  // namespace orrery::language
