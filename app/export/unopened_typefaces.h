// Typefaces that are there and cannot be opened: Pango sets text without them and says so to the terminal alone. What it
// says is heard here, so that no figure is written over a good one in letters that nobody chose.
#pragma once

namespace orrery::exporter {

/// Hears what Pango says from now on.
void watch_typefaces();
/// Throws Failure where a typeface could not be opened since then: Pango does not try it again.
void require_typefaces();

}  // namespace orrery::exporter
