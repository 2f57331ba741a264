#include "core/gpu/egl_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/tensor/error.h"

namespace orrery::gpu {
namespace {

struct Candidate {
  std::string name;
  EGLDisplay display = EGL_NO_DISPLAY;
};

// Asked from EGL itself: libepoxy looks at the current display to decide whether the entry point exists, and
// before the first display there is none.
template <class F>
F entry_point(const char* name) {
  return reinterpret_cast<F>(eglGetProcAddress(name));
}

bool client_has(std::string_view extension) {
  const char* all = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  return all && std::string_view(all).find(extension) != std::string_view::npos;
}

std::vector<Candidate> candidates() {
  std::vector<Candidate> found;
  const auto platform_display = entry_point<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (platform_display && client_has("EGL_MESA_platform_surfaceless"))
    found.push_back({"surfaceless", platform_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr)});
  const auto query_devices = entry_point<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  if (platform_display && query_devices && client_has("EGL_EXT_platform_device")) {
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count))
      for (EGLint i = 0; i < count; ++i)
        found.push_back(
            {"device " + std::to_string(i),
             platform_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr)});
  }
  found.push_back({"default display", eglGetDisplay(EGL_DEFAULT_DISPLAY)});
  return found;
}

/// A core context without surfaces, or EGL_NO_CONTEXT with the reason.
EGLContext create_context(EGLDisplay display, std::string& reason) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
    reason = "no display";
    return EGL_NO_CONTEXT;
  }
  const std::string_view extensions = eglQueryString(display, EGL_EXTENSIONS);
  if (extensions.find("EGL_KHR_surfaceless_context") == std::string_view::npos) {
    reason = "no context without a surface";
    return EGL_NO_CONTEXT;
  }
  if (!eglBindAPI(EGL_OPENGL_API)) {
    reason = "no desktop OpenGL";
    return EGL_NO_CONTEXT;
  }
  // Any surface type will do, as there will be none; without saying so, EGL asks for windows.
  const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) config = EGL_NO_CONFIG_KHR;
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               4,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT) reason = "no OpenGL 4.3";
  return context;
}

}  // namespace

bool is_software_renderer(const std::string& renderer) {
  for (const std::string_view name :
       {"llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader", "OpenSWR"})
    if (renderer.find(name) != std::string::npos) return true;
  return false;
}

EglContext::EglContext() {
  if (const char* off = std::getenv("ORRERY_NO_GPU"); off && std::string_view(off) == "1")
    throw Failure(wrong("no graphics device: switched off by ORRERY_NO_GPU=1"));
  std::string tried;
  for (const Candidate& candidate : candidates()) {
    // The default display is the last resort: it may belong to a desktop session.
    if (context_ && candidate.name == "default display") break;
    std::string reason;
    EGLContext context = create_context(candidate.display, reason);
    if (context != EGL_NO_CONTEXT &&
        !eglMakeCurrent(candidate.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      eglDestroyContext(candidate.display, context);
      context = EGL_NO_CONTEXT;
      reason = "its context cannot be made current";
    }
    if (context == EGL_NO_CONTEXT) {
      tried += (tried.empty() ? "" : "; ") + candidate.name + ": " + reason;
      continue;
    }
    const bool software = is_software_renderer(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    if (context_ && software) {  // one software driver is as good as another: keep the first
      eglDestroyContext(candidate.display, context);
      continue;
    }
    if (context_) eglDestroyContext(display_, context_);
    display_ = candidate.display;
    context_ = context;
    software_ = software;
    if (!software) break;
  }
  if (!context_) throw Failure(wrong("no graphics device: OpenGL 4.3 through EGL is needed ({})", tried));
  make_current();
}

EglContext::~EglContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  eglReleaseThread();
}

void EglContext::make_current() const {
  if (eglGetCurrentContext() == context_) return;
  eglBindAPI(EGL_OPENGL_API);
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    throw Failure(
        wrong("the graphics device's context cannot be made current: it belongs to another thread"));
}

}  // namespace orrery::gpu
