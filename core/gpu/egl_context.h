// An OpenGL context without a window, current on the thread that made it for as long as it lives.
#pragma once

#include <string>

namespace orrery::gpu {

class EglContext {
 public:
  /// Makes the best context that EGL offers and makes it current. A hardware driver is preferred to a
  /// software one wherever it is found; among equals the order is: Mesa's surfaceless platform, EGL devices,
  /// default display. Throws Failure that lists what was tried.
  EglContext();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  void make_current() const;
  bool software() const { return software_; }

 private:
  // EGLDisplay and EGLContext, as EGL declares them; its header stays in the source file. Displays belong to
  // the process and are shared by all threads, so they are never terminated here.
  void* display_ = nullptr;
  void* context_ = nullptr;
  bool software_ = false;
};

/// llvmpipe, softpipe, swrast and their kin, by the name that the driver gives as GL_RENDERER.
bool is_software_renderer(const std::string& renderer);

}  // namespace orrery::gpu
