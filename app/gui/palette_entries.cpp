#include <algorithm>

#include "app/gui/fuzzy.h"
#include "app/gui/menus.h"
#include "app/gui/number_text.h"
#include "app/gui/palette.h"
#include "app/gui/panels.h"

namespace orrery::gui {
namespace {

constexpr int for_being_recent = 40;  // less than what a better place in the text is worth

PaletteEntry entry_of(const Action& action, const Ui& ui, const KeyMap& keys, const Reach& reach) {
  PaletteEntry entry{.key = "action:" + std::string(action.id), .label = action_words(ui, action, reach)};
  entry.note = keys.text(action);
  entry.also = action.label;
  entry.why_not = ui.say(action.why_not(reach));
  entry.run = [&action](Reach& r) { action.run(r); };
  return entry;
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const Ui& ui, const KeyMap& keys, const Reach& reach,
                                          const std::vector<study::Preset>& presets) {
  std::vector<PaletteEntry> all;
  for (const Action& action : actions())
    if (action.id != "palette") all.push_back(entry_of(action, ui, keys, reach));
  const study::Study& open = reach.app.study();
  for (const parameter::Parameter& p : open.parameters)
    all.push_back({.key = "parameter:" + std::string(p.name),
                   .label = ui.say(p.label) + "\u2026",
                   .note = ui.say(value_text(reach.app.settings().value(p.name))),
                   .also = std::string(p.name) + " " + std::string(p.label),
                   .why_not = {},
                   .run = [&p](Reach& r) { r.wishes.parameter = p.name; }});
  for (const study::Preset& preset : presets)
    all.push_back({.key = "preset:" + preset.name,
                   .label = ui.say("Preset: {}", preset.name),
                   .note = preset_contents(reach.app, ui, preset),
                   .also = "Preset",
                   .why_not = {},
                   .run = [preset](Reach& r) { r.app.apply(preset); }});
  for (const study::Try& suggestion : open.tries)
    all.push_back({.key = "try:" + std::string(suggestion.text),
                   .label = ui.say(suggestion.text),
                   .note = ui.say("Try"),
                   .also = std::string(suggestion.changes),
                   .why_not = {},
                   .run = [&suggestion](Reach& r) { r.app.try_out(suggestion); }});
  for (const study::Study* study : study::studies())
    all.push_back({.key = "study:" + std::string(study->id),
                   .label = ui.say(study->title),
                   .note = ui.say(study->topic),
                   .also = std::string(study->id) + " " + std::string(study->title),
                   .why_not = study == &open ? ui.say("it is open") : std::string(),
                   .run = [study](Reach& r) { r.app.open(*study); }});
  return all;
}

std::vector<PaletteRow> palette_rows(const std::vector<PaletteEntry>& entries, std::string_view typed,
                                     const std::vector<std::string>& recent) {
  struct Scored {
    PaletteRow row;
    int score;
  };
  std::vector<Scored> found;
  const bool anything = typed.find_first_not_of(' ') == typed.npos;
  for (const PaletteEntry& entry : entries) {
    std::optional<FuzzyMatch> match = fuzzy_match(typed, entry.label);
    if (!match) {
      // By its topic, or by its name in English: one step behind what stands in sight.
      match = fuzzy_match(typed, entry.label + " " + entry.note + " " + entry.also);
      if (!match) continue;
      match->score -= 60;
      std::erase_if(match->where, [&](std::size_t at) { return at >= entry.label.size(); });
    }
    const auto used = std::find(recent.begin(), recent.end(), entry.key);
    if (used != recent.end())
      match->score += anything ? 1000 - static_cast<int>(used - recent.begin()) : for_being_recent;
    if (!entry.why_not.empty()) match->score -= for_being_recent;
    found.push_back({{&entry, std::move(match->where)}, match->score});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Scored& a, const Scored& b) { return a.score > b.score; });
  std::vector<PaletteRow> rows;
  for (Scored& each : found) rows.push_back(std::move(each.row));
  return rows;
}

}  // namespace orrery::gui
