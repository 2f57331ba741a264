#include "app/study/choice_words.h"

#include "app/language/dictionary.h"

namespace orrery::study {

std::string choice_words(language::Language language, const Study& study, const parameter::Parameter& p,
                         std::string_view choice) {
  const language::Dictionary& dictionary = language::dictionary(language);
  const std::string here = std::string(study.id) + "/" + std::string(p.name) + ": " + std::string(choice);
  const std::string* own = dictionary.exact(here);
  return own ? *own : dictionary.in_context(p.label, choice);
}

}  // namespace orrery::study
