#include "app/gui/ui.h"

namespace orrery::gui {

void Ui::set_scale(float layout, float device) {
  scale = layout;
  raster = device;
  ImGuiIO& io = ImGui::GetIO();
  faces = build_faces(*io.Fonts, layout, device);
  io.FontGlobalScale = 1 / device;
  if (theme) apply_style(tokens, scale);
}

void Ui::set_theme(const figure::Theme& chosen) {
  theme = &chosen;
  tokens = tokens_of(chosen);
  apply_style(tokens, scale);
}

void Ui::begin_frame() {
  pictures.begin_frame();
  items.begin_frame();
  wake_after = 1e9;
}

bool Ui::take(Key key) {
  return std::erase_if(keys, [&](const KeyPress& k) { return k.key == key; }) > 0;
}

bool Ui::pressed(Key key) const {
  return std::any_of(keys.begin(), keys.end(), [&](const KeyPress& k) { return k.key == key; });
}

}  // namespace orrery::gui
