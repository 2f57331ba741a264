// The languages that the program speaks. English is the key, as it stands in the sources; every other language is a
// table from English (assets/translations/LANGUAGE/*.toml), made part of the program by the build. With the environment
// variable ORRERY_TRANSLATION_DIR the tables are read from that folder instead, for those who translate.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/tensor/embedded_file.h"

namespace orrery::language {

class Dictionary;

enum class Language : std::uint8_t { en, zh };

struct Named {
  Language language;
  std::string_view code;      ///< "zh": on the command line, in recipes, in the name of its folder of tables
  std::string_view own_name;  ///< "中文": what those who read it call it
};

/// All of them, English first.
std::span<const Named> languages();
std::string_view code(Language);
std::string_view own_name(Language);
/// Throws InvalidArgument for any other code.
Language language_of(std::string_view code);
/// "en, zh": for help and for errors.
std::string codes();

/// Empty for English. Made when first asked for; a table from ORRERY_TRANSLATION_DIR that is wrong throws Failure.
const Dictionary& dictionary(Language);

/// English in, words of the language out; what the tables do not have stays English.
std::string translate(Language, std::string_view english);

/// The same with parts put in at its places: say(zh, "{} of {} checks hold", 3, 4). The parts stand as they are given.
std::string say_with(Language, std::string_view english, std::span<const std::string> parts);

inline std::string part_text(std::string_view text) {
  return std::string(text);
}
inline std::string part_text(std::integral auto n) {
  return std::to_string(n);
}

template <class... Parts>
std::string say(Language language, std::string_view english, const Parts&... parts) {
  if constexpr (sizeof...(parts) == 0) {
    return translate(language, english);
  } else {
    const std::string texts[] = {part_text(parts)...};
    return say_with(language, english, texts);
  }
}

/// The tables of assets/translations: "zh/interface.toml" and the like.
extern const tensor::EmbeddedFile tables[];
extern const int tables_count;

}  // namespace orrery::language
