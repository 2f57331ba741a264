// What the fonts of this machine can draw between them.
#pragma once

namespace orrery::exporter {

/// Some installed font has the character. It asks them all: whoever asks often remembers the answer.
bool any_font_has(char32_t);

}  // namespace orrery::exporter
