#include "app/gui/style.h"

#include <algorithm>
#include <cmath>

namespace orrery::gui {
namespace {

constexpr figure::Color rgb(unsigned hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex), 255};
}

ImVec4 vec(figure::Color c, float alpha = 1) {
  return {static_cast<float>(c.r) / 255.0f, static_cast<float>(c.g) / 255.0f,
          static_cast<float>(c.b) / 255.0f, alpha * static_cast<float>(c.a) / 255.0f};
}

}  // namespace

const figure::Theme& screen_theme(const std::string& name, bool high_contrast) {
  const figure::Theme& theme = name == "light" ? figure::light_theme() : figure::dark_theme();
  return high_contrast ? figure::high_contrast(theme) : theme;
}

namespace {

/// Controls that stand out from their pane by 3 : 1 (WCAG 2.1, 1.4.11), what is chosen from what is not likewise, and words on
/// them by 4.5 : 1.
void stand_out(Tokens& t, bool light) {
  if (light) {
    t.pane = rgb(0xFFFFFF);
    t.control = rgb(0x949494);
    t.raised = rgb(0x808080);
    t.line = rgb(0x46515E);
    t.secondary = t.faint = t.text = rgb(0x000000);
    t.accent = rgb(0x3D2A00);
    t.holds = rgb(0x04301F);
    t.fails = rgb(0x560D09);
  } else {
    t.pane = rgb(0x000000);
    t.control = rgb(0x5A5A5A);
    t.raised = rgb(0x6A6A6A);
    t.line = rgb(0xB8C2CE);
    t.secondary = t.faint = t.text = rgb(0xFFFFFF);
    t.holds = rgb(0x8EF0C3);
    t.fails = rgb(0xFFC9BC);
  }
  t.chosen = t.primary = t.accent;
  t.on_chosen = t.on_primary = t.pane;
}

}  // namespace

Tokens tokens_of(const figure::Theme& theme) {
  Tokens t;
  t.ground = theme.background;
  t.text = theme.text;
  t.secondary = theme.secondary;
  t.accent = theme.accent;
  t.accent_ground = theme.accent_ground;
  t.holds = theme.holds;
  t.fails = theme.fails;
  if (theme.name == "light") {
    t.pane = rgb(0xF6F7F9);
    t.control = rgb(0xECEFF3);
    t.raised = rgb(0xDDE2E9);
    t.line = rgb(0xE1E5EB);
    t.faint = rgb(0x647180);  // words, unlike tick marks, keep 4.5 : 1 on the pane
  } else {
    t.pane = rgb(0x141A21);
    t.control = rgb(0x1C242D);
    t.raised = rgb(0x27313C);
    t.line = rgb(0x232C36);
    t.faint = rgb(0x7A8796);  // likewise
  }
  t.chosen = t.raised;
  t.on_chosen = t.text;
  t.primary = t.accent_ground;
  t.on_primary = t.accent;
  if (theme.high_contrast) stand_out(t, theme.name == "light");
  return t;
}

void apply_style(const Tokens& t, float scale) {
  ImGuiStyle style;  // from fresh: scaling a style that was scaled before would compound
  style.WindowPadding = ImVec2(0, 0);
  style.WindowBorderSize = 0;
  style.WindowRounding = 6;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.PopupRounding = 6;
  style.FramePadding = ImVec2(8, 4);
  style.FrameRounding = 4;
  style.FrameBorderSize = 0;
  style.ItemSpacing = ImVec2(0, 0);
  style.ItemInnerSpacing = ImVec2(8, 4);
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 4;
  style.ScaleAllSizes(scale);
  style.PopupBorderSize = std::max(1.0f, std::round(scale));  // Dear ImGui scales no border
  style.WindowMinSize = ImVec2(1, 1);  // scaling rounds down, and Dear ImGui ends the program below 1
  style.CircleTessellationMaxError = 0.15f;

  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = vec(t.text);
  c[ImGuiCol_TextDisabled] = vec(t.faint);
  c[ImGuiCol_WindowBg] = vec(t.pane);
  c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_PopupBg] = vec(t.pane);
  c[ImGuiCol_Border] = vec(t.raised);
  c[ImGuiCol_FrameBg] = vec(t.control);
  c[ImGuiCol_FrameBgHovered] = vec(t.raised);
  c[ImGuiCol_FrameBgActive] = vec(t.control);
  c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ScrollbarGrab] = vec(t.raised);
  c[ImGuiCol_ScrollbarGrabHovered] = vec(t.faint);
  c[ImGuiCol_ScrollbarGrabActive] = vec(t.secondary);
  c[ImGuiCol_Header] = vec(t.raised);
  c[ImGuiCol_HeaderHovered] = vec(t.raised);
  c[ImGuiCol_HeaderActive] = vec(t.raised);
  c[ImGuiCol_Button] = vec(t.control);
  c[ImGuiCol_ButtonHovered] = vec(t.raised);
  c[ImGuiCol_ButtonActive] = vec(t.raised);
  c[ImGuiCol_CheckMark] = vec(t.accent);
  c[ImGuiCol_Separator] = vec(t.line);
  c[ImGuiCol_TextSelectedBg] = vec(t.accent, 0.3f);
  c[ImGuiCol_NavHighlight] = vec(t.accent);
  c[ImGuiCol_ModalWindowDimBg] = vec(t.ground, 0.6f);
  ImGui::GetStyle() = style;
}

ImU32 color(figure::Color c, double alpha) {
  const double a = std::clamp(c.a * alpha, 0.0, 255.0);
  return IM_COL32(c.r, c.g, c.b, static_cast<int>(std::lround(a)));
}

}  // namespace orrery::gui
