#include "app/study/gpu_report.h"

#include <exception>

#include "core/gpu/device.h"

namespace orrery::study {

GpuReport ask_for_gpu() {
  try {
    const gpu::Device device;
    return {true, device.info().software, device.info().renderer};
  } catch (const std::exception& error) {
    return {false, false, error.what()};
  }
}

}  // namespace orrery::study
