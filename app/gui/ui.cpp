#include "app/gui/ui.h"

namespace orrery::gui {

void Ui::set_scale(float layout, float device) {
  scale = layout;
  raster = device;
  ImGuiIO& io = ImGui::GetIO();
  faces = build_faces(*io.Fonts, layout, device, glyphs);
  io.FontGlobalScale = 1 / device;
  if (theme) apply_style(tokens, scale);
}

bool Ui::renew_faces() {
  if (!glyphs.fresh()) return false;
  set_scale(scale, raster);
  return true;
}

void Ui::set_theme(const figure::Theme& chosen) {
  theme = &chosen;
  tokens = tokens_of(chosen);
  apply_style(tokens, scale);
}

void Ui::begin_frame() {
  pictures.begin_frame();
  items.begin_frame();
  for (Chord& chord : keys)
    if (chord.key == Key::pad_enter) chord.key = Key::enter;
  const ImGuiIO& io = ImGui::GetIO();
  if (!keys.empty()) by_keys_ = true;
  if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 || ImGui::IsAnyMouseDown())
    by_keys_ = false;
  focus.begin_frame(keys);
  wake_after = 1e9;
  awaiting = false;
  label_column = 0;
}

void Ui::end_frame() {
  focus.end_frame(keys, color(tokens.accent), scale);
}

bool Ui::take(const Chord& chord) {
  return std::erase(keys, chord) > 0;
}

bool Ui::is_press(const Chord& chord) {
  // That of the number pad is Enter in the list of keys, and itself to Dear ImGui.
  return compat::went_down(chord.key) || (chord.key == Key::enter && compat::went_down(Key::pad_enter));
}

bool Ui::take_press(const Chord& chord) {
  return take(chord) && is_press(chord);
}

bool Ui::pressed(Key key) const {
  return std::any_of(keys.begin(), keys.end(), [&](const KeyPress& k) { return k.key == key; });
}

}  // namespace orrery::gui
