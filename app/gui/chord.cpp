#include "app/gui/chord.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

struct Named {
  Key key;
  std::string_view typed, shown;
};
constexpr std::array names{Named{Key::space, "Space", "Space"},
                           Named{Key::escape, "Escape", "Esc"},
                           Named{Key::escape, "Esc", "Esc"},
                           Named{Key::enter, "Enter", "Enter"},
                           Named{Key::tab, "Tab", "Tab"},
                           Named{Key::backspace, "Backspace", "Backspace"},
                           Named{Key::insert, "Insert", "Insert"},
                           Named{Key::erase, "Delete", "Delete"},
                           Named{Key::right, "Right", "\u2192"},
                           Named{Key::left, "Left", "\u2190"},
                           Named{Key::down, "Down", "\u2193"},
                           Named{Key::up, "Up", "\u2191"},
                           Named{Key::page_up, "PageUp", "Page up"},
                           Named{Key::page_down, "PageDown", "Page down"},
                           Named{Key::home, "Home", "Home"},
                           Named{Key::end, "End", "End"},
                           Named{Key::minus, "-", "\u2212"},
                           Named{Key::minus, "\u2212", "\u2212"}};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<Key> key_named(std::string_view name) {
  for (const Named& each : names)
    if (same_word(each.typed, name)) return each.key;
  if (name.size() == 1 && name[0] > ' ' && name[0] < 127)
    return Key{std::toupper(static_cast<unsigned char>(name[0]))};
  for (int f = 1; f <= 12; ++f)
    if (same_word("F" + std::to_string(f), name)) return Key{static_cast<int>(Key::f1) + f - 1};
  return std::nullopt;
}

std::string key_text(Key key) {
  for (const Named& each : names)
    if (each.key == key) return std::string(each.shown);
  const int code = static_cast<int>(key);
  if (key >= Key::f1 && key <= Key::f12) return "F" + std::to_string(code - static_cast<int>(Key::f1) + 1);
  return std::string(1, static_cast<char>(code));
}

/// Takes "Ctrl+" from the front.
bool held(std::string_view& text, std::string_view name) {
  if (text.size() <= name.size() + 1 || text[name.size()] != '+') return false;
  if (!same_word(text.substr(0, name.size()), name)) return false;
  text.remove_prefix(name.size() + 1);
  return true;
}

}  // namespace

std::string chord_text(const Chord& chord) {
  std::string text;
  if (chord.ctrl) text += "Ctrl+";
  if (chord.alt) text += "Alt+";
  if (chord.shift) text += "Shift+";
  return text + key_text(chord.key);
}

std::optional<Chord> parse_chord(std::string_view text) {
  Chord chord{Key::space};
  for (bool more = true; more;) {
    more = false;
    if (held(text, "Ctrl")) chord.ctrl = more = true;
    if (held(text, "Alt")) chord.alt = more = true;
    if (held(text, "Shift")) chord.shift = more = true;
  }
  const std::optional<Key> key = key_named(text);
  if (!key) return std::nullopt;
  chord.key = *key;
  return chord;
}

std::vector<Chord> parse_chords(std::string_view text) {
  std::vector<Chord> chords;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::optional<Chord> chord = parse_chord(word);
    if (!chord)
      throw InvalidArgument(
          Complaint()
              .found(word)
              .fault("{} is not a key", in_apostrophes(word))
              .allowed(
                  "Ctrl, Alt and Shift, each followed by +, before a letter, a digit, a sign, F1 to F12, "
                  "Space, Enter, Esc, Tab, Left, Right, Up, Down, Home, End, PageUp, PageDown, Insert, "
                  "Delete, Backspace"));
    chords.push_back(*chord);
  }
  return chords;
}

Chord plain(Chord chord) {
  if (chord.key == Key::pad_minus) chord.key = Key::minus;
  if (chord.key == Key::pad_plus) chord.key = Key::plus;
  if (chord.key == Key::pad_enter) chord.key = Key::enter;
  if (chord.key == Key::equal && chord.shift) chord.key = Key::plus;
  if (chord.key == Key::plus || chord.key == Key::question) chord.shift = false;
  return chord;
}

bool edits_text(const Chord& chord) {
  if (chord.key >= Key::f1 && chord.key <= Key::f12) return false;
  if (!chord.ctrl && !chord.alt) return true;
  constexpr std::string_view clipboard_and_undo = "ACVXYZ";
  const int code = static_cast<int>(chord.key);
  return code > 255 || clipboard_and_undo.find(static_cast<char>(code)) != clipboard_and_undo.npos;
}

}  // namespace orrery::gui
