#include "app/gui/texture.h"

#include <epoxy/gl.h>

#include <backends/imgui_impl_opengl3.h>

#include <cmath>

namespace orrery::gui {

ImTextureID GlTextures::create(int width, int height, std::span<const std::uint8_t> rgba) {
  GLint bound = 0;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
  return compat::texture_id(name);
}

ImTextureID GlTextures::paint(ImDrawList& list, ImVec2 low, ImVec2 high, float raster, figure::Color ground) {
  const int width = static_cast<int>(std::lround((high.x - low.x) * raster)),
            height = static_cast<int>(std::lround((high.y - low.y) * raster));
  const ImTextureID picture = create(width, height, {});
  GLint bound = 0;
  GLfloat clear[4];
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  glGetFloatv(GL_COLOR_CLEAR_VALUE, clear);
  GLuint framebuffer = 0;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, compat::gl_name(picture),
                         0);
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
               static_cast<float>(ground.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  compat::with_draw_data(list, low, {high.x - low.x, high.y - low.y}, raster,
                         [](ImDrawData& data) { ImGui_ImplOpenGL3_RenderDrawData(&data); });
  glClearColor(clear[0], clear[1], clear[2], clear[3]);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(bound));
  glDeleteFramebuffers(1, &framebuffer);
  return picture;
}

void GlTextures::destroy(ImTextureID id) {
  const GLuint name = compat::gl_name(id);
  glDeleteTextures(1, &name);
}

}  // namespace orrery::gui
