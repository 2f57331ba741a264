// Whether the fonts can be read at all.
#pragma once

namespace orrery::exporter {

/// Throws Failure where so few files may be open that fontconfig would quietly find other fonts, or where so little may be
/// addressed that GLib would end the program.
void require_room_for_fonts();

}  // namespace orrery::exporter
