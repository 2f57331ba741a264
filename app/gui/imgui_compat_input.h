// The part of imgui_compat.h that only the queue of input and the window need.
#pragma once

#include "app/gui/imgui_compat.h"

namespace orrery::gui::compat {

#if IMGUI_VERSION_NUM >= 18700
inline void feed_wheel_across(float steps) {
  ImGui::GetIO().AddMouseWheelEvent(steps, 0);
}
inline void feed_alt(bool down) {
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Alt, down);
}
/// Frames are given one thing at a time already: see input_queue.h.
inline void trickle_no_more() {
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;
}
#else
inline void feed_wheel_across(float steps) {
  ImGui::GetIO().MouseWheelH += steps;
}
inline void feed_alt(bool down) {
  ImGui::GetIO().KeyAlt = down;
}
inline void trickle_no_more() {}
#endif

/// Some keys have no number.
inline bool known(Key key) {
  return static_cast<int>(key) >= 0 && static_cast<int>(key) < 512;
}

}  // namespace orrery::gui::compat
