#include "app/gui/preset_shelf.h"

#include <algorithm>
#include <iterator>

#include "app/gui/number_text.h"
#include "app/gui/value_words.h"

namespace orrery::gui {

using parameter::Parameter;

void PresetShelf::read(const study::Study& study) {
  of_ = &study;
  const std::vector<recipe::Preset> published = recipe::published_presets(study);
  presets_ = published;
  inquiry_.ask(recipe::preset_file(study, "any").parent_path().string(),
               [this, &study, published]() -> Inquiry::Then {
                 std::vector<recipe::Preset> all = recipe::saved_presets(study);
                 std::ranges::copy(published, std::back_inserter(all));
                 return [this, all] { presets_ = all; };
               });
}

void PresetShelf::follow(const study::Study& study, Ui& ui) {
  if (of_ != &study) read(study);
  inquiry_.poll();
  if (inquiry_.pending()) ui.await();
}

std::string preset_contents(const App& app, const Ui& ui, const recipe::Preset& preset) {
  std::string text;
  for (const auto& [name, value] : preset.values)
    for (const Parameter& p : app.study().parameters) {
      const bool named = p.kind == parameter::Kind::choice && value == preset.name;
      if (p.name != name || named) continue;
      text += (text.empty() ? "" : ", ") + ui.say(p.label) + " " +
              value_words(ui, app.study(), p, value_text(parameter::parse(p, value)));
    }
  return text;
}

}  // namespace orrery::gui
