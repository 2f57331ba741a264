#include "app/language/error.h"

#include "app/language/dictionary.h"
#include "core/tensor/complaint_words.h"

namespace orrery::language {
namespace {

/// A phrase of ours is a key of the table as a whole. What a library says has no pattern of ours: the table may still know
/// its form.
Say sayer(Language language) {
  return [language](const Phrase& phrase, std::span<const std::string> parts) {
    if (language == Language::en) return filled(phrase.text, parts);
    if (phrase.parts.empty()) return dictionary(language).translate(phrase.text);
    const std::string* said = dictionary(language).exact(phrase.text);
    return said ? Pattern(*said).fill(parts) : filled(phrase.text, parts);
  };
}

}  // namespace

std::string say_error(Language language, const Complaint& complaint) {
  return in_words(complaint, sayer(language));
}

std::string say_phrase(Language language, const Phrase& phrase) {
  return in_words(phrase, sayer(language));
}

}  // namespace orrery::language
