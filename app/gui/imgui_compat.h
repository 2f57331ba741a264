// The one place that knows which Dear ImGui this is: 1.86 (Debian 12) to 1.90 (Debian 13).
// Debian's library is built already, so no IMGUI_ macro may be defined anywhere: the two would disagree in
// silence.
#pragma once

#include <imgui.h>

#include <imgui_stdlib.h>

#include <cstdint>

namespace orrery::gui {

static_assert(sizeof(ImWchar) == 2, "the library is built with 16-bit characters");

/// The keys the window listens to, by the numbers that GLFW gives them.
enum class Key : int {
  space = 32,
  minus = 45,
  digit0 = 48,
  equal = 61,
  f = 70,
  p = 80,
  q = 81,
  s = 83,
  y = 89,
  z = 90,
  escape = 256,
  enter = 257,
  up = 265,
  down = 264,
  home = 268,
  f1 = 290,
  pad_minus = 333,
  pad_plus = 334
};

namespace compat {

#if IMGUI_VERSION_NUM >= 18700
inline ImGuiKey key_code(Key key) {
  switch (key) {
    case Key::space:
      return ImGuiKey_Space;
    case Key::minus:
      return ImGuiKey_Minus;
    case Key::digit0:
      return ImGuiKey_0;
    case Key::equal:
      return ImGuiKey_Equal;
    case Key::f:
      return ImGuiKey_F;
    case Key::p:
      return ImGuiKey_P;
    case Key::q:
      return ImGuiKey_Q;
    case Key::s:
      return ImGuiKey_S;
    case Key::y:
      return ImGuiKey_Y;
    case Key::z:
      return ImGuiKey_Z;
    case Key::escape:
      return ImGuiKey_Escape;
    case Key::enter:
      return ImGuiKey_Enter;
    case Key::up:
      return ImGuiKey_UpArrow;
    case Key::down:
      return ImGuiKey_DownArrow;
    case Key::home:
      return ImGuiKey_Home;
    case Key::f1:
      return ImGuiKey_F1;
    case Key::pad_minus:
      return ImGuiKey_KeypadSubtract;
    case Key::pad_plus:
      return ImGuiKey_KeypadAdd;
  }
  return ImGuiKey_None;
}
inline void feed_mouse_position(float x, float y) {
  ImGui::GetIO().AddMousePosEvent(x, y);
}
inline void feed_mouse_button(int button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down);
}
inline void feed_wheel(float steps) {
  ImGui::GetIO().AddMouseWheelEvent(0, steps);
}
inline void feed_key(Key key, bool down) {
  ImGui::GetIO().AddKeyEvent(key_code(key), down);
}
inline void feed_modifiers(bool ctrl, bool shift) {
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, ctrl);
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, shift);
}
#else
// Before 1.87 keys are known by the platform's own numbers, and input is written straight into the fields.
inline int key_code(Key key) {
  return static_cast<int>(key);
}
inline void feed_mouse_position(float x, float y) {
  ImGui::GetIO().MousePos = ImVec2(x, y);
}
inline void feed_mouse_button(int button, bool down) {
  ImGui::GetIO().MouseDown[button] = down;
}
inline void feed_wheel(float steps) {
  ImGui::GetIO().MouseWheel += steps;
}
inline void feed_key(Key key, bool down) {
  ImGui::GetIO().KeysDown[key_code(key)] = down;
}
inline void feed_modifiers(bool ctrl, bool shift) {
  ImGui::GetIO().KeyCtrl = ctrl;
  ImGui::GetIO().KeyShift = shift;
}
#endif

/// Texture handles are pointers up to 1.91.3 and integers after it.
inline ImTextureID texture_id(std::uint32_t gl_name) {
  return (ImTextureID)(std::uintptr_t)gl_name;  // NOLINT: the one cast that fits both
}
inline std::uint32_t gl_name(ImTextureID id) {
  return static_cast<std::uint32_t>((std::uintptr_t)id);  // NOLINT
}

/// A child without a border; the fourth argument changed its type in 1.90.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0) {
  return ImGui::BeginChild(id, size, false, flags);
}

}  // namespace compat
}  // namespace orrery::gui
