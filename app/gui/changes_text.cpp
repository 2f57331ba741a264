#include "app/gui/changes_text.h"

#include <filesystem>

#include "app/gui/number_text.h"
#include "app/gui/value_words.h"

namespace orrery::gui {
namespace {

std::string text_of(const Ui& ui, const study::Study& study, const parameter::Parameter& p,
                    const parameter::Settings& settings) {
  if (p.kind == parameter::Kind::file) {
    const std::string& path = settings.file(p.name);
    return path.empty() ? ui.say("no file") : std::filesystem::path(path).filename().string();
  }
  return value_words(ui, study, p, value_text(settings.value(p.name)));
}

}  // namespace

std::string change_text(const Ui& ui, const study::Study& study, const parameter::Parameter& p,
                        const parameter::Settings& from, const parameter::Settings& to) {
  return text_of(ui, study, p, from) + " \u2192 " + text_of(ui, study, p, to);
}

std::string changes_text(const Ui& ui, const study::Study& study, const parameter::Settings& from,
                         const parameter::Settings& to) {
  std::string text;
  for (const parameter::Parameter& p : from.declared()) {
    if (from.value(p.name) == to.value(p.name)) continue;
    text += (text.empty() ? "" : ", ") + ui.say(p.label) + " " + change_text(ui, study, p, from, to);
  }
  return text;
}

}  // namespace orrery::gui
