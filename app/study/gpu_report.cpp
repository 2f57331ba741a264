#include "app/study/gpu_report.h"

#include <exception>

#include "core/gpu/device.h"
#include "core/gpu/egl_context.h"

namespace orrery::study {

GpuReport ask_for_gpu() {
  try {
    const gpu::Device device;
    return {true, device.info().software, device.info().renderer};
  } catch (const std::exception& error) {
    return {false, false, error.what()};
  }
}

bool is_software_driver(const std::string& renderer) {
  return gpu::is_software_renderer(renderer);
}

}  // namespace orrery::study
