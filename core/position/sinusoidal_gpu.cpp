#include <algorithm>
#include <vector>

#include "core/gpu/device.h"
#include "core/position/rope.h"
#include "core/position/sinusoidal.h"

namespace orrery::position {

using tensor::Index;

namespace {

/// A double as the sum of two floats: 48 bits of it.
void append_twofold(std::vector<float>& to, double value) {
  const auto upper = static_cast<float>(value);
  to.push_back(upper);
  to.push_back(static_cast<float>(value - static_cast<double>(upper)));
}

/// Cosine and sine of ω_i at the positions first, first + step, …, as the shader reads them: one vec4 each.
gpu::Buffer angles(double first, Index step, Index count, std::span<const double> frequencies) {
  std::vector<double> positions(static_cast<std::size_t>(count));
  for (std::size_t r = 0; r < positions.size(); ++r)
    positions[r] = first + static_cast<double>(step) * static_cast<double>(r);
  const RopeTable table = rope_table(positions, frequencies);
  std::vector<float> packed;
  packed.reserve(4 * static_cast<std::size_t>(table.cos.size()));
  for (Index r = 0; r < table.tokens(); ++r) {
    for (Index i = 0; i < table.pairs(); ++i) {
      append_twofold(packed, table.cos(r, i));
      append_twofold(packed, table.sin(r, i));
    }
  }
  return gpu::Buffer(packed);
}

}  // namespace

void sinusoidal_gpu(gpu::Device& device, const SinusoidalParams& params, tensor::View<float> y) {
  const std::vector<double> frequencies = sinusoidal_frequencies(y.cols, params);
  if (y.empty()) return;
  // Row r = coarse·step + fine; a step of 256 needs the fewest angles for the longest tables that we draw.
  const Index step = std::min<Index>(y.rows, 256);
  const gpu::Buffer coarse = angles(params.offset, step, (y.rows + step - 1) / step, frequencies);
  const gpu::Buffer fine = angles(0, 1, step, frequencies);

  std::vector<std::string> defines;
  if (params.layout != SinusoidalLayout::paper) defines.emplace_back("SPLIT");
  const gpu::Program& program = device.program("sinusoidal", defines);
  program.set("rows", static_cast<unsigned>(y.rows));
  program.set("pairs", static_cast<unsigned>(y.cols / 2));
  program.set("step_rows", static_cast<unsigned>(step));

  const gpu::Buffer y_buffer(static_cast<std::size_t>(y.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&y_buffer, &coarse, &fine};
  device.dispatch_elements(program, buffers, y.rows * (y.cols / 2));
  y_buffer.read(y);
}

}  // namespace orrery::position
