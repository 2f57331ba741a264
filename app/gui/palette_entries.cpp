#include <algorithm>

#include "app/gui/menus.h"
#include "app/gui/number_text.h"
#include "app/gui/palette.h"
#include "app/gui/panels.h"
#include "app/gui/study_search.h"
#include "app/gui/value_words.h"

namespace orrery::gui {
namespace {

constexpr int for_being_recent = 90;  // less than what a better place in the text is worth

PaletteEntry entry_of(const Action& action, const Ui& ui, const KeyMap& keys, const Reach& reach) {
  PaletteEntry entry{.key = "action:" + std::string(action.id), .label = action_words(ui, action, reach)};
  entry.note = keys.text(action);
  entry.also = std::string(action.label) + "\n" + std::string(synonyms(action.id));
  entry.why_not = ui.say(action.why_not(reach));
  entry.run = [&action](Reach& r) { action.run(r); };
  return entry;
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const Ui& ui, const KeyMap& keys, const Reach& reach,
                                          const std::vector<recipe::Preset>& presets) {
  std::vector<PaletteEntry> all;
  for (const Action& action : actions())
    if (action.id != "palette") all.push_back(entry_of(action, ui, keys, reach));
  const study::Study& open = reach.app.study();
  for (const parameter::Parameter& p : open.parameters)
    all.push_back({.key = "parameter:" + std::string(p.name),
                   .label = ui.say(p.label) + "\u2026",
                   .note = value_words(ui, open, p, value_text(reach.app.settings().value(p.name))),
                   .also = std::string(p.name) + " " + std::string(p.label),
                   .why_not = {},
                   .run = [&p](Reach& r) { r.wishes.parameter = p.name; }});
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
                   .run = [study](Reach& r) { r.app.open(*study); },
                   .index = &indexed(*study, ui.language)});
  for (const recipe::Preset& preset : presets)
    all.push_back({.key = "preset:" + preset.name,
                   .label = ui.say("Preset: {}", preset.title),
                   .note = preset_contents(reach.app, ui, preset),
                   .also = preset.name,
                   .why_not = {},
                   .run = [preset](Reach& r) { r.app.apply(preset); },
                   .kind = "Preset " + ui.say("Preset: {}", "")});
  return all;
}

std::vector<PaletteRow> palette_rows(const std::vector<PaletteEntry>& entries, std::string_view typed,
                                     const std::vector<std::string>& recent) {
  struct Scored {
    PaletteRow row;
    int score;
  };
  std::vector<Scored> found;
  const std::vector<std::string> words = words_typed(typed);
  for (const PaletteEntry& entry : entries) {
    const std::optional<IndexMatch> hit =
        entry.index ? match(*entry.index, words)
        : entry.kind.empty()
            ? match({fold(entry.label), fold(entry.also), {}, fold(entry.note)}, words)
            : match({fold(entry.kind), fold(entry.label + "\n" + entry.also), {}, fold(entry.note)}, words);
    if (!hit) continue;
    int score = hit->score;
    const auto used = std::find(recent.begin(), recent.end(), entry.key);
    if (used != recent.end())
      score += words.empty() ? 1000 - static_cast<int>(used - recent.begin()) : for_being_recent;
    if (!entry.why_not.empty()) score -= for_being_recent;
    found.push_back({{&entry, typed_in(entry.label, typed)}, score});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Scored& a, const Scored& b) { return a.score > b.score; });
  std::vector<PaletteRow> rows;
  for (Scored& each : found) rows.push_back(std::move(each.row));
  return rows;
}

}  // namespace orrery::gui
