// Small pictures that say what a control does, drawn with lines: they fit any scale and any colour.
#pragma once

#include <imgui.h>

namespace orrery::gui {

/// Each about a middle, `size` across.
void play_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
void pause_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
void lock_mark(ImDrawList&, ImVec2 middle, float size, ImU32, bool closed);
void dice_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
/// An arrow that turns back to where it came from.
void reset_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
/// A triangle that points down: something hangs below.
void below_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
void folder_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
/// What a motion does at its end: comes in again, turns, or stops.
void round_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
void back_and_forth_mark(ImDrawList&, ImVec2 middle, float size, ImU32);
void once_mark(ImDrawList&, ImVec2 middle, float size, ImU32);

}  // namespace orrery::gui
