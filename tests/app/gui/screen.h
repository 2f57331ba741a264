// The whole window painted by OpenGL into a framebuffer of its own, without a display: its pixels, and pictures of them
// to be looked at.
#pragma once

#include <epoxy/gl.h>

#include <backends/imgui_impl_opengl3.h>
#include <cairo.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include "app/gui/painter.h"
#include "tests/app/gui/harness.h"
#include "tests/app/gui/offscreen.h"

namespace orrery::gui {

/// The framebuffer that stands in for a window; before the harness, which needs its context.
struct Target {
  Target(int w, int h) : width(w), height(h) {
    if (!context.ready) return;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  }
  ~Target() {
    if (!context.ready) return;
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
  }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  Context context;
  int width, height;
  GLuint texture = 0, framebuffer = 0;
};

/// Only where `Target::context` is ready.
class Screen {
 public:
  explicit Screen(Target& target, float scale = 1)
      : target_(target),
        window(ImVec2(static_cast<float>(target.width), static_cast<float>(target.height)), &textures_) {
    if (scale != 1) window.ui.set_scale(scale, 1);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    window.before_frame = [] { ImGui_ImplOpenGL3_NewFrame(); };
    window.new_faces = [] {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();
    };
    window.after_frame = [this] {
      glBindFramebuffer(GL_FRAMEBUFFER, target_.framebuffer);
      painter_.paint(*ImGui::GetDrawData(), {target_.width, target_.height}, window.ui.tokens.ground, coarse);
    };
  }
  ~Screen() { ImGui_ImplOpenGL3_Shutdown(); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Rows from the top.
  std::vector<figure::Color> pixels() const {
    std::vector<figure::Color> read(static_cast<std::size_t>(target_.width) * target_.height);
    glReadPixels(0, 0, target_.width, target_.height, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
    for (int y = 0; y < target_.height / 2; ++y)
      std::swap_ranges(read.begin() + y * target_.width, read.begin() + (y + 1) * target_.width,
                       read.begin() + (target_.height - 1 - y) * target_.width);
    return read;
  }

  /// As PNG, to be looked at.
  void save(const std::filesystem::path& file) const {
    const std::vector<figure::Color> picture = pixels();
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, target_.width, target_.height);
    unsigned char* data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; y < target_.height; ++y)
      for (int x = 0; x < target_.width; ++x) {
        const figure::Color c = picture[static_cast<std::size_t>(y) * target_.width + x];
        reinterpret_cast<std::uint32_t*>(data + y * stride)[x] =
            (std::uint32_t{c.r} << 16) | (std::uint32_t{c.g} << 8) | c.b;
      }
    cairo_surface_mark_dirty(surface);
    cairo_surface_write_to_png(surface, file.c_str());
    cairo_surface_destroy(surface);
  }

  /// Different colours in a box: text and lines have many, emptiness has one.
  std::size_t colours(ItemBox box) const {
    const std::vector<figure::Color> picture = pixels();
    std::set<std::uint32_t> seen;
    for (int y = std::max(0, static_cast<int>(box.low.y));
         y < std::min(target_.height, static_cast<int>(box.high.y)); ++y)
      for (int x = std::max(0, static_cast<int>(box.low.x));
           x < std::min(target_.width, static_cast<int>(box.high.x)); ++x) {
        const figure::Color c = picture[static_cast<std::size_t>(y) * target_.width + x];
        seen.insert((std::uint32_t{c.r} << 16) | (std::uint32_t{c.g} << 8) | c.b);
      }
    return seen.size();
  }

 private:
  Target& target_;
  GlTextures textures_;
  Painter painter_;

 public:
  Harness window;
  bool coarse = false;  ///< as the window is painted while things move
};

}  // namespace orrery::gui
