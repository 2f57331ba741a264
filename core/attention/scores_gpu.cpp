#include <algorithm>
#include <limits>

#include "core/attention/scores.h"
#include "core/gpu/device.h"

namespace orrery::attention {

void scores_gpu(gpu::Device& device, tensor::View<const float> q, tensor::View<const float> k,
                const ScoresParams& params, tensor::View<float> s) {
  const double scale = scores_scale(params, q.cols);
  if (s.empty()) return;
  std::vector<std::string> defines;
  if (params.mask.kind == Mask::Kind::causal) defines.emplace_back("CAUSAL");
  if (params.mask.kind == Mask::Kind::sliding) defines.emplace_back("SLIDING");
  const gpu::Program& program = device.program("scores", defines);
  program.set("queries", static_cast<unsigned>(q.rows));
  program.set("keys", static_cast<unsigned>(k.rows));
  program.set("width", static_cast<unsigned>(q.cols));
  program.set("scale", static_cast<float>(scale));
  if (params.mask.kind == Mask::Kind::sliding)
    program.set("window", static_cast<int>(
                              std::min<tensor::Index>(params.mask.window, std::numeric_limits<int>::max())));

  const gpu::Buffer q_buffer(q), k_buffer(k), s_buffer(static_cast<std::size_t>(s.size()) * sizeof(float));
  const gpu::Buffer* const buffers[] = {&q_buffer, &k_buffer, &s_buffer};
  constexpr tensor::Index tile = 16;  // as in scores.comp
  device.dispatch_groups(program, buffers, ((q.rows + tile - 1) / tile) * ((k.rows + tile - 1) / tile));
  s_buffer.read(s);
}

}  // namespace orrery::attention
