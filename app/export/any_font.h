// What the fonts of this machine can draw between them.
#pragma once

namespace orrery::exporter {

/// Some installed font has the character. It asks them all: whoever asks often remembers the answer.
bool any_font_has(char32_t);

/// Throws Failure where no font file is found at all: every letter would be a box.
void require_any_font();

}  // namespace orrery::exporter
