#include "core/gpu/device.h"
#include "core/position/mrope_positions.h"

namespace orrery::position {

void mrope_positions_gpu(gpu::Device& device, std::span<const MropeStretch> stretches,
                         tensor::View<float> y) {
  check_mrope_shape(stretches, y.rows, y.cols);
  if (y.empty()) return;
  std::vector<float> packed;  // all below 2²⁴: floats hold them
  const std::vector<MropeRun> runs = mrope_runs(stretches);
  for (const MropeRun& run : runs)
    for (const tensor::Index each : {run.first, run.start, run.rows, run.columns})
      packed.push_back(static_cast<float>(each));
  const gpu::Program& program = device.program("mrope_positions");
  program.set("run_count", static_cast<unsigned>(runs.size()));
  program.set("tokens", static_cast<unsigned>(y.cols));

  const gpu::Buffer run_buffer(packed), y_buffer(static_cast<std::size_t>(y.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&y_buffer, &run_buffer};
  device.dispatch_elements(program, buffers, y.cols);
  y_buffer.read(y);
}

}  // namespace orrery::position
