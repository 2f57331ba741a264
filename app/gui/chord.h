// A key with what is held down beside it, and how it is written: "Ctrl+Shift+Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/imgui_compat.h"

namespace orrery::gui {

struct Chord {
  Key key;
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Chord&) const = default;
  auto operator<=>(const Chord&) const = default;
};

/// As it is read: "Ctrl+Shift+Z", "Alt+←", "?".
std::string chord_text(const Chord&);
/// As it is typed, capitals or not: "ctrl+shift+z", "Alt+Left", "Ctrl++". Nothing where no key has that name.
std::optional<Chord> parse_chord(std::string_view);
/// Several, a space between them; throws InvalidArgument that names the one that is none.
std::vector<Chord> parse_chords(std::string_view);

/// What a key event means: the keys of the number pad are those of the main block, and a sign that is written with
/// Shift ("?", "+") needs no Shift beside it.
Chord plain(Chord);

/// A text field that has the keyboard wants this one for itself.
bool edits_text(const Chord&);

}  // namespace orrery::gui
