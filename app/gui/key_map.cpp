#include <algorithm>
#include <optional>
#include <set>

#include "app/gui/actions.h"
#include "app/gui/figure_keys.h"
#include "app/recipe/reader.h"
#include "core/file/base_folder.h"
#include "core/file/bytes.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

constexpr std::uint64_t most_bytes = 1 << 20;  // a key for each action has some kilobytes

}  // namespace

KeyMap::KeyMap() {
  for (const Action& action : actions()) keys_[&action] = parse_chords(action.keys);
}

std::vector<Complaint> KeyMap::read(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  std::optional<recipe::RecipeReader> reader;
  try {
    reader.emplace(file::read_bytes(file, most_bytes), file.string());
  } catch (const Failure& error) {
    return {error.complaint()};
  }
  const toml::table& table = reader->root();
  const Subject all = in_file(file.string());
  std::vector<Complaint> faults;
  std::vector<std::pair<std::string_view, const toml::node*>> lines;
  for (const auto& [id, node] : table) lines.emplace_back(id.str(), &node);
  std::sort(lines.begin(), lines.end(),
            [](const auto& a, const auto& b) { return a.second->source().begin < b.second->source().begin; });
  std::set<const Action*> own;
  for (const auto& [id, node] : lines) {
    const Subject where = in_file(file.string(), node->source().begin.line);
    const Action* action = find_action(id);
    const auto text = node->value<std::string>();
    if (!action) {
      faults.push_back(
          wrong("no action is named {}; the sheet of keys (F1) shows the names under the pointer",
                in_apostrophes(id))
              .within(where));
    } else if (!text) {
      faults.push_back(
          about(Subject::Kind::key, id).fault("keys are a text such as {}", "\"Alt+Left\"").within(where));
    } else {
      try {
        keys_[action] = parse_chords(*text);
        own.insert(action);
      } catch (const InvalidArgument& error) {
        faults.push_back(error.complaint().within({Subject::Kind::key, name_phrase(id)}).within(where));
      }
    }
  }
  // A default gives way to what a person chose; two choices of the same key are a mistake worth a word, and so is a choice
  // that gives way itself, to the figure. A default that a person wrote down again shares its key with the figure on purpose.
  for (const Action* chosen : own) {
    const std::vector<Chord> usual = parse_chords(chosen->keys);
    for (const Chord& chord : keys_[chosen]) {
      const Phrase instead = what_figure_does(chord);
      if (!instead.empty() && std::find(usual.begin(), usual.end(), chord) == usual.end())
        faults.push_back(wrong("while the figure has the keyboard, {} {} instead of doing {}",
                               chord_text(chord), instead, in_apostrophes(chosen->id))
                             .within(all));
      for (auto& [other, theirs] : keys_) {
        if (other == chosen || other->on_figure != chosen->on_figure) continue;
        if (std::find(theirs.begin(), theirs.end(), chord) == theirs.end()) continue;
        if (!own.contains(other))
          std::erase(theirs, chord);
        else if (other->id < chosen->id)
          faults.push_back(
              wrong("{} is given to both {} and {}", chord_text(chord), other->id, chosen->id).within(all));
      }
    }
  }
  return faults;
}

std::span<const Chord> KeyMap::keys(const Action& action) const {
  const auto found = keys_.find(&action);
  return found == keys_.end() ? std::span<const Chord>() : found->second;
}

std::string KeyMap::text(const Action& action) const {
  const std::span<const Chord> all = keys(action);
  return all.empty() ? std::string() : chord_text(all.front());
}

const Action* KeyMap::find(const Chord& chord, bool on_figure) const {
  const Action* everywhere = nullptr;
  for (const auto& [action, chords] : keys_) {
    if (std::find(chords.begin(), chords.end(), plain(chord)) == chords.end()) continue;
    if (action->on_figure && on_figure) return action;
    if (!action->on_figure) everywhere = action;
  }
  return everywhere;
}

std::filesystem::path key_map_file() {
  const std::filesystem::path base = file::base_folder("XDG_CONFIG_HOME", ".config");
  return base.empty() ? base : base / "orrery" / "keys.toml";
}

}  // namespace orrery::gui
