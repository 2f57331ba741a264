#include "app/gui/preset_shelf.h"

#include <algorithm>
#include <iterator>

#include "app/gui/number_text.h"

namespace orrery::gui {

using parameter::Parameter;

void PresetShelf::read(const study::Study& study) {
  of_ = &study;
  presets_ = study::saved_presets(study);
  std::ranges::move(study::published_presets(study), std::back_inserter(presets_));
}

void PresetShelf::follow(const study::Study& study) {
  if (of_ != &study) read(study);
}

std::string preset_contents(const App& app, const Ui& ui, const study::Preset& preset) {
  std::string text;
  for (const auto& [name, value] : preset.values)
    for (const Parameter& p : app.study().parameters) {
      const bool named = p.kind == parameter::Kind::choice && value == preset.name;
      if (p.name != name || named) continue;
      text +=
          (text.empty() ? "" : ", ") + ui.say(p.label) + " " + ui.say(value_text(parameter::parse(p, value)));
    }
  return text;
}

}  // namespace orrery::gui
