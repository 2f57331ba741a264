// The one place that knows which Dear ImGui this is: 1.86 (Debian 12) to 1.90 (Debian 13).
// Debian's library is built already, so no IMGUI_ macro may be defined anywhere: the two would disagree in
// silence.
#pragma once

#include <imgui.h>

#include <imgui_stdlib.h>

#include <cfloat>
#include <cstdint>

namespace orrery::gui {

static_assert(sizeof(ImWchar) == 2, "the library is built with 16-bit characters");

/// The keys the window listens to, by the numbers that GLFW gives them. A key that writes a letter, a digit or a sign
/// is that character, letters in capitals: Key{'G'}.
enum class Key : int {
  space = 32,
  plus = 43,
  minus = 45,
  digit0 = 48,
  equal = 61,
  question = 63,
  d = 68,
  f = 70,
  p = 80,
  q = 81,
  s = 83,
  y = 89,
  z = 90,
  escape = 256,
  enter = 257,
  tab = 258,
  backspace = 259,
  insert = 260,
  erase = 261,
  right = 262,
  left = 263,
  down = 264,
  up = 265,
  page_up = 266,
  page_down = 267,
  home = 268,
  end = 269,
  f1 = 290,
  f2 = 291,
  f6 = 295,
  f12 = 301,
  pad_minus = 333,
  pad_plus = 334,
  pad_enter = 335
};

namespace compat {

#if IMGUI_VERSION_NUM >= 18700
inline ImGuiKey key_code(Key key) {
  const int code = static_cast<int>(key);
  if (code >= 'A' && code <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (code - 'A'));
  if (code >= '0' && code <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (code - '0'));
  if (key >= Key::f1 && key <= Key::f12)
    return static_cast<ImGuiKey>(ImGuiKey_F1 + (code - static_cast<int>(Key::f1)));
  struct Pair {
    Key key;
    ImGuiKey code;
  };
  constexpr Pair named[] = {{Key::space, ImGuiKey_Space},
                            {Key::minus, ImGuiKey_Minus},
                            {Key::equal, ImGuiKey_Equal},
                            {Key::escape, ImGuiKey_Escape},
                            {Key::enter, ImGuiKey_Enter},
                            {Key::tab, ImGuiKey_Tab},
                            {Key::backspace, ImGuiKey_Backspace},
                            {Key::insert, ImGuiKey_Insert},
                            {Key::erase, ImGuiKey_Delete},
                            {Key::right, ImGuiKey_RightArrow},
                            {Key::left, ImGuiKey_LeftArrow},
                            {Key::down, ImGuiKey_DownArrow},
                            {Key::up, ImGuiKey_UpArrow},
                            {Key::page_up, ImGuiKey_PageUp},
                            {Key::page_down, ImGuiKey_PageDown},
                            {Key::home, ImGuiKey_Home},
                            {Key::end, ImGuiKey_End},
                            {Key::pad_minus, ImGuiKey_KeypadSubtract},
                            {Key::pad_plus, ImGuiKey_KeypadAdd},
                            {Key::pad_enter, ImGuiKey_KeypadEnter}};
  for (const Pair& pair : named)
    if (pair.key == key) return pair.code;
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

/// The field that is being typed into ends, and keeps what was typed.
void leave_field();
/// Popups that nobody drew in the last frame are closed: what drew them has gone, and a modal one that is still said to be
/// open would keep new panes from coming (an assertion in Dear ImGui).
void close_abandoned_popups();
/// ImGui::BeginPopupModal. A pane or a tip may come in the frame in which the dialog does: 1.86 looks for the dialog
/// among those of the last frame alone, and does not go on (an assertion) where it is not.
bool begin_modal(const char* name, ImGuiWindowFlags flags);

/// Texture handles are pointers up to 1.91.3 and integers after it.
inline ImTextureID texture_id(std::uint32_t gl_name) {
  return (ImTextureID)(std::uintptr_t)gl_name;  // NOLINT: the one cast that fits both
}
inline std::uint32_t gl_name(ImTextureID id) {
  return static_cast<std::uint32_t>((std::uintptr_t)id);  // NOLINT
}

/// Draws one list alone, as if it were a frame: its corner, its size, and device pixels to a unit.
template <class Draw>
void with_draw_data(ImDrawList& list, ImVec2 corner, ImVec2 size, float raster, Draw&& draw) {
  list._PopUnusedDrawCmd();
  ImDrawData data;
  data.Valid = true;
  data.DisplayPos = corner;
  data.DisplaySize = size;
  data.FramebufferScale = {raster, raster};
#if IMGUI_VERSION_NUM >= 18980
  data.AddDrawList(&list);
#else
  ImDrawList* lists[] = {&list};
  data.CmdLists = lists;
  data.CmdListsCount = 1;
  data.TotalVtxCount = list.VtxBuffer.Size;
  data.TotalIdxCount = list.IdxBuffer.Size;
#endif
  draw(data);
}

/// A child without a border; the fourth argument changed its type in 1.90.
inline bool begin_child(const char* id, ImVec2 size, ImGuiWindowFlags flags = 0) {
  return ImGui::BeginChild(id, size, false, flags);
}

// What the queue of input and the window need.
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
/// It went down since the last frame; one that is held, and repeats, did not.
inline bool went_down(Key key) {
  return known(key) && ImGui::IsKeyPressed(key_code(key), false);
}

/// While this lives, Enter that is held does not repeat for Dear ImGui: a field takes each repeat for a press, and closes.
class EnterOnce {
 public:
  EnterOnce() : delay_(ImGui::GetIO().KeyRepeatDelay) {
    if (is_held(Key::enter) || is_held(Key::pad_enter)) ImGui::GetIO().KeyRepeatDelay = FLT_MAX;
  }
  ~EnterOnce() { ImGui::GetIO().KeyRepeatDelay = delay_; }
  EnterOnce(const EnterOnce&) = delete;
  EnterOnce& operator=(const EnterOnce&) = delete;

 private:
  static bool is_held(Key key) { return ImGui::IsKeyDown(key_code(key)) && !went_down(key); }
  float delay_;
};

}  // namespace compat
}  // namespace orrery::gui
