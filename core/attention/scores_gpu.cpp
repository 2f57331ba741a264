#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/attention/scores.h"
#include "core/gpu/attention_steps.h"
#include "core/gpu/device.h"

namespace orrery::attention {

using tensor::Index;

const gpu::Program& masked_program(gpu::Device& device, std::string_view shader, const ScoresParams& params,
                                   Index queries, Index keys, std::span<const std::string> own) {
  std::vector<std::string> defines(own.begin(), own.end());
  using Kind = Mask::Kind;
  const Mask& mask = params.mask;
  if (mask.kind == Kind::causal) defines.emplace_back("CAUSAL");
  if (mask.kind == Kind::sliding) defines.emplace_back("SLIDING");
  if (mask.kind == Kind::prefix) defines.emplace_back("PREFIX");
  if (mask.kind == Kind::chunked) defines.emplace_back("CHUNKED");
  if (!mask.documents.empty()) defines.emplace_back("DOCUMENTS");
  if (!params.padding.empty()) defines.emplace_back("PADDING");
  const gpu::Program& program = device.program(shader, defines);
  program.set("queries", static_cast<unsigned>(queries));
  program.set("keys", static_cast<unsigned>(keys));
  if (mask.kind == Kind::sliding)
    program.set("window", static_cast<int>(std::min<Index>(mask.window, std::numeric_limits<int>::max())));
  if (mask.kind == Kind::chunked)
    program.set("chunk", static_cast<int>(std::min<Index>(mask.chunk, std::numeric_limits<int>::max())));
  if (mask.kind == Kind::prefix) program.set("prefix", static_cast<unsigned>(std::min(mask.prefix, keys)));
  return program;
}

gpu::Buffer keys_on_device(const ScoresParams& params) {
  std::vector<float> of_keys(params.padding.begin(), params.padding.end());
  for (const KeyRange& document : params.mask.documents)
    of_keys.push_back(static_cast<float>(document.first));
  return gpu::Buffer(std::span<const float>(of_keys));
}

gpu::Buffer scores_on_device(gpu::Device& device, tensor::View<const float> q, tensor::View<const float> k,
                             const ScoresParams& params, tensor::View<const float> bias) {
  std::vector<std::string> defines;
  if (params.cap) defines.emplace_back("CAP");
  if (!bias.empty()) defines.emplace_back("BIAS");
  const gpu::Program& program = masked_program(device, "scores", params, q.rows, k.rows, defines);
  program.set("width", static_cast<unsigned>(q.cols));
  if (params.cap) program.set("cap", static_cast<float>(*params.cap));

  std::vector<float> factor(static_cast<std::size_t>(q.rows));
  for (Index t = 0; t < q.rows; ++t)
    factor[static_cast<std::size_t>(t)] = static_cast<float>(score_factor(params, t, q.rows, k.rows, q.cols));

  gpu::Buffer s_buffer(static_cast<std::size_t>(q.rows * k.rows) * sizeof(float));
  const gpu::Buffer q_buffer(q), k_buffer(k), of_keys_buffer = keys_on_device(params),
                                              factor_buffer{std::span<const float>(factor)},
                                              bias_buffer(bias);
  const gpu::Buffer* const buffers[] = {&q_buffer,       &k_buffer,      &s_buffer,
                                        &of_keys_buffer, &factor_buffer, &bias_buffer};
  device.dispatch_tiles(program, buffers, q.rows, k.rows, gpu::Loops::over_tiles(q.cols));
  return s_buffer;
}

void scores_gpu(gpu::Device& device, tensor::View<const float> q, tensor::View<const float> k,
                const ScoresParams& params, tensor::View<float> s, tensor::View<const float> bias) {
  check_scores(params, k.rows);
  if (!s.empty()) scores_on_device(device, q, k, params, bias).read(s);
}

}  // namespace orrery::attention
