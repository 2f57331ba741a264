// What there is to compute on besides the processor: asked once, by whoever offers the choice.
#pragma once

#include <string>

namespace orrery::study {

struct GpuReport {
  bool available = false;
  bool software = false;  ///< a driver that runs on the processor: slower than `cpu`
  std::string text;       ///< the renderer's name, or why there is none
};

/// Makes a device, asks it, and lets it go: some tens of milliseconds. On a thread of its own, and before any
/// other thread computes on the graphics processor: drivers share state between contexts as they come and go.
GpuReport ask_for_gpu();

/// Whether a driver draws on the processor, by the name that it gives as GL_RENDERER.
bool is_software_driver(const std::string& renderer);

}  // namespace orrery::study
