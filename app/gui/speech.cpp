#include "app/gui/speech.h"

#include <algorithm>
#include <string>

#include "app/language/dictionary.h"
#include "app/study/study.h"

namespace orrery::gui {
namespace {

using language::Language;

/// What is going to be read, made in one go rather than word by word as it comes into sight.
void expect(Language language, MoreGlyphs& glyphs) {
  for (const language::Entry& entry : language::dictionary(language).entries()) glyphs.words.ask(entry.said);
  for (const study::Study* study : study::studies()) {
    glyphs.title.ask(language::translate(language, study->title));
    glyphs.head.ask(language::translate(language, study->topic));
  }
}

Language wanted(const App& app) {
  const auto all = language::languages();
  const auto found = std::find_if(all.begin(), all.end(), [&](const language::Named& each) {
    return each.code == app.preferences.language;
  });
  return found == all.end() ? Language::en : found->language;
}

}  // namespace

std::string_view why_not_shown(Language language) {
  if (language == Language::en || !find_chinese_font(400).path.empty()) return {};
  return "no font here has Chinese: install fonts-noto-cjk, fonts-wqy-microhei or fonts-droid-fallback";
}

void follow_language(App& app, Ui& ui) {
  const Language asked = wanted(app);
  if (asked == ui.language && app.preferences.language == language::code(asked)) return;
  if (const std::string_view reason = why_not_shown(asked); !reason.empty()) {
    app.say(Notice::Kind::error, std::string(reason));
    app.preferences.language = language::code(Language::en);
    return follow_language(app, ui);
  }
  app.preferences.language = language::code(asked);
  ui.language = asked;
  app.page.language = asked;
  if (asked != Language::en) expect(asked, ui.glyphs);
}

}  // namespace orrery::gui
