// The whole window without a window: frames are built, clicks are scripted, and what was drawn is asked for
// by name.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string_view>
#include <thread>

#include "app/gui/frame.h"
#include "tests/app/gui/no_textures.h"

namespace orrery::gui {

class Harness {
 public:
  explicit Harness(ImVec2 size = {1600, 2400}, Textures* textures = nullptr)
      : context_(ImGui::CreateContext()), ui(textures ? *textures : no_textures) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.DeltaTime = 1.0f / 60;  // fixed: double clicks and repeats are the same on every machine
    io.ConfigInputTextCursorBlink = false;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    compat::trickle_no_more();
#if IMGUI_VERSION_NUM < 18700
    io.KeyMap[ImGuiKey_Enter] = static_cast<int>(Key::enter);
    io.KeyMap[ImGuiKey_KeyPadEnter] = static_cast<int>(Key::pad_enter);
    io.KeyMap[ImGuiKey_Escape] = static_cast<int>(Key::escape);
    io.KeyMap[ImGuiKey_Home] = static_cast<int>(Key::home);
    io.KeyMap[ImGuiKey_UpArrow] = static_cast<int>(Key::up);
    io.KeyMap[ImGuiKey_DownArrow] = static_cast<int>(Key::down);
    io.KeyMap[ImGuiKey_Space] = static_cast<int>(Key::space);
#endif
    ui.set_scale(1, 1);
    ui.set_theme(figure::dark_theme());
  }
  ~Harness() {
    ImGui::DestroyContext(context_);
  }
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;

  /// Frames without the passing of time for what plays.
  void frames(int count = 1, double seconds = 0) {
    for (int i = 0; i < count; ++i) {
      const figure::Theme& theme = screen_theme(app.preferences.theme, app.preferences.high_contrast);
      if (ui.theme != &theme) ui.set_theme(theme);
      app.update(seconds);
      if (before_frame) before_frame();
      if (ui.renew_faces() && new_faces) new_faces();
      ImGui::NewFrame();
      ui.begin_frame();
      wishes = frame.draw(app, ui, 0.001);
      ImGui::Render();
      if (after_frame) after_frame();
      // A disk that is slow just now: what it says is waited for, as a person would.
      if (patient && (ui.awaiting || app.asking())) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (++waited_ < 5000) --i;
      } else {
        waited_ = 0;
      }
    }
  }
  /// A file from outside: whether it was taken.
  bool take(const std::filesystem::path& file) {
    app.take_file(file);
    frames();
    return app.refusal().empty();
  }
  /// Until the figure of what is asked for now is there, or an error is.
  void settle() {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    frames();
    while (app.busy() || app.exporting().running()) {
      ASSERT_LT(std::chrono::steady_clock::now(), patience) << "no outcome for " << app.study().id;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      frames();
    }
    frames(2);
  }

  ItemBox item(std::string_view name) {
    const auto box = ui.items.find(name);
    EXPECT_TRUE(box) << "not in the last frame: " << name;
    return box.value_or(ItemBox{});
  }
  void move(ImVec2 to) {
    compat::feed_mouse_position(to.x, to.y);
    frames();
  }
  void press_at(ImVec2 at, int button = 0) {
    move(at);
    compat::feed_mouse_button(button, true);
    frames();
    compat::feed_mouse_button(button, false);
    frames(2);
  }
  void click(std::string_view name, int button = 0) {
    rest();
    press_at(item(name).centre(), button);
  }
  void drag(ImVec2 from, ImVec2 to, int button = 0, int steps = 6) {
    rest();
    move(from);
    compat::feed_mouse_button(button, true);
    frames();
    for (int i = 1; i <= steps; ++i) {
      const float f = static_cast<float>(i) / static_cast<float>(steps);
      move({from.x + (to.x - from.x) * f, from.y + (to.y - from.y) * f});
      settle();
    }
    compat::feed_mouse_button(button, false);
    frames(2);
  }
  void wheel(ImVec2 at, float steps) {
    move(at);
    compat::feed_wheel(steps);
    frames(2);
  }
  void key(Key k, bool ctrl = false, bool shift = false) {
    compat::feed_modifiers(ctrl, shift);
    compat::feed_key(k, true);
    ui.keys.push_back({k, ctrl, shift});
    frames();
    compat::feed_key(k, false);
    compat::feed_modifiers(false, false);
    frames(2);
  }
  /// A second by the harness's clock: down once, then said again and again as a keyboard repeats it, and up. That is an even
  /// number of times: what turns back at the next press would be as it was.
  void hold(const Chord& chord) {
    constexpr int all = 60, delay = 20, every = 2;  // frames; Dear ImGui's own repeats begin before that
    compat::feed_modifiers(chord.ctrl, chord.shift);
    compat::feed_alt(chord.alt);
    compat::feed_key(chord.key, true);
    for (int i = 0; i < all; ++i) {
      if (i == 0 || (i > delay && i % every == 0)) ui.keys.push_back(chord);
      frames();
    }
    compat::feed_key(chord.key, false);
    compat::feed_modifiers(false, false);
    compat::feed_alt(false);
    frames(2);
  }
  void type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frames(2);
  }
  /// Long enough that the next click is not the second half of a double click.
  void rest() {
    frames(30);
  }

  NoTextures no_textures;

 private:
  ImGuiContext* context_;
  int waited_ = 0;  // frames in a row for a disk

 public:
  Ui ui;
  App app;
  Frame frame;
  WindowWishes wishes;
  bool patient = true;  ///< frames go on until files have answered
  std::function<void()> before_frame, after_frame, new_faces;
};

/// By Tab alone.
inline void tab_to(Harness& h, const std::string& name) {
  for (int i = 0; i < 400 && h.ui.focus.at() != name; ++i) h.key(Key::tab);
  ASSERT_EQ(h.ui.focus.at(), name);
}

}  // namespace orrery::gui
