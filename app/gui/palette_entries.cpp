#include <algorithm>

#include "app/gui/menus.h"
#include "app/gui/number_text.h"
#include "app/gui/palette.h"
#include "app/gui/panels.h"
#include "app/gui/study_search.h"
#include "app/gui/value_words.h"

namespace orrery::gui {
namespace {

PaletteEntry entry_of(const Action& action, const Ui& ui, const KeyMap& keys, const Reach& reach) {
  PaletteEntry entry{.key = "action:" + std::string(action.id), .label = action_words(ui, action, reach)};
  entry.note = keys.text(action);
  entry.called = std::string(action.label) + "\n" + ui.say(action.label);
  entry.also = std::string(action.label) + "\n" + std::string(synonyms(action.id));
  entry.why_not = ui.say(action.why_not(reach));
  entry.run = [&action](Reach& r) { action.run(r); };
  return entry;
}

/// Of what is asked for by the word of its kind the label is one more name.
Indexed index_of(const PaletteEntry& entry) {
  const bool of_a_kind = !entry.kind.empty();
  return {.title = fold(of_a_kind ? entry.kind : entry.label),
          .names = fold(of_a_kind ? entry.label + "\n" + entry.also : entry.also),
          .words = fold(entry.note),
          .called = fold(entry.called)};
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
                   .called = std::string(p.name) + "\n" + std::string(p.label),
                   .why_not = {},
                   .run = [&p](Reach& r) { r.wishes.parameter = p.name; }});
  for (const study::Try& suggestion : open.tries)
    all.push_back({.key = "try:" + std::string(suggestion.text),
                   .label = ui.say(suggestion.text),
                   .note = ui.say("Try"),
                   .also = std::string(suggestion.changes),
                   .why_not = {},
                   .run = [&suggestion](Reach& r) { r.app.try_out(suggestion); },
                   .sentence = true});
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
                   .called = preset.name + "\n" + preset.title,
                   .why_not = {},
                   .run = [preset](Reach& r) { r.app.apply(preset); },
                   .kind = "Preset " + ui.say("Preset: {}", "")});
  return all;
}

std::vector<PaletteRow> palette_rows(const std::vector<PaletteEntry>& entries, std::string_view typed,
                                     const std::vector<std::string>& recent) {
  struct Scored {
    PaletteRow row;
    IndexMatch match;
    std::ptrdiff_t used;  // how long ago, in other entries
  };
  std::vector<Scored> found;
  const std::vector<std::string> words = words_typed(typed);
  for (const PaletteEntry& entry : entries) {
    std::optional<IndexMatch> hit = match(entry.index ? *entry.index : index_of(entry), words);
    if (!hit) continue;
    if (hit->named == NameMatch::from_its_beginning && (entry.sentence || !entry.kind.empty()))
      hit->named = NameMatch::partly;
    if (entry.index)
      hit->letters = std::string::npos;  // studies come in their own order, behind what is done
    const std::ptrdiff_t used = std::ranges::find(recent, entry.key) - recent.begin();
    found.push_back({{&entry, typed_in(entry.label, typed)}, *hit, used});
  }
  std::stable_sort(found.begin(), found.end(), [](const Scored& a, const Scored& b) {
    if (a.match.named != b.match.named) return a.match.named > b.match.named;
    const bool can_a = a.row.entry->why_not.empty(), can_b = b.row.entry->why_not.empty();
    if (can_a != can_b) return can_a;
    if (a.match.named_before(b.match) || b.match.named_before(a.match)) return a.match.named_before(b.match);
    return a.match.score != b.match.score ? a.match.score > b.match.score : a.used < b.used;
  });
  std::vector<PaletteRow> rows;
  for (Scored& each : found) rows.push_back(std::move(each.row));
  return rows;
}

}  // namespace orrery::gui
