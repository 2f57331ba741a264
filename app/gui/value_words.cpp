#include "app/gui/value_words.h"

#include "app/study/choice_words.h"

namespace orrery::gui {

std::string value_words(const Ui& ui, const study::Study& study, const parameter::Parameter& p,
                        std::string_view text) {
  return p.kind == parameter::Kind::choice ? study::choice_words(ui.language, study, p, text) : ui.say(text);
}

std::vector<std::string> choices_in_words(const Ui& ui, const study::Study& study,
                                          const parameter::Parameter& p) {
  std::vector<std::string> words;
  for (const std::string_view choice : parameter::choices_of(p))
    words.push_back(value_words(ui, study, p, choice));
  return words;
}

}  // namespace orrery::gui
