#include "app/gui/painter.h"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

namespace orrery::gui {
namespace {

void draw(ImDrawData& data, Pixels size, figure::Color ground) {
  glViewport(0, 0, size.width, size.height);
  glClearColor(static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
               static_cast<float>(ground.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace

Painter::~Painter() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
}

void Painter::make_room(Pixels half) {
  if (!framebuffer_) glGenFramebuffers(1, &framebuffer_), glGenTextures(1, &texture_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  if (half.width == room_.width && half.height == room_.height) return;
  room_ = half;
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, half.width, half.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
}

void Painter::paint(ImDrawData& data, Pixels size, figure::Color ground, bool coarse) {
  const Pixels half{(size.width + 1) / 2, (size.height + 1) / 2};
  if (!coarse || half.width < 1 || half.height < 1) return draw(data, size, ground);
  GLint screen = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
  make_room(half);
  const ImVec2 sharp = data.FramebufferScale;
  data.FramebufferScale = {sharp.x * static_cast<float>(half.width) / static_cast<float>(size.width),
                           sharp.y * static_cast<float>(half.height) / static_cast<float>(size.height)};
  draw(data, half, ground);
  data.FramebufferScale = sharp;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(screen));
  glBlitFramebuffer(0, 0, half.width, half.height, 0, 0, size.width, size.height, GL_COLOR_BUFFER_BIT,
                    GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(screen));
}

}  // namespace orrery::gui
