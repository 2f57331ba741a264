#include "app/study/choice_words.h"

#include "app/language/dictionary.h"
#include "app/study/choice_name.h"

namespace orrery::study {

std::string choice_words(language::Language language, const Study& study, const parameter::Parameter& p,
                         std::string_view choice) {
  const language::Dictionary& dictionary = language::dictionary(language);
  const std::string here = std::string(study.id) + "/" + std::string(p.name) + ": " + std::string(choice);
  const std::string* own = dictionary.exact(here);
  std::string said = own ? *own : dictionary.in_context(p.label, choice);
  return said == choice ? language::translate(language, choice_name(p, choice)) : said;
}

}  // namespace orrery::study
