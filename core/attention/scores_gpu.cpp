#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/attention/scores.h"
#include "core/gpu/device.h"

namespace orrery::attention {

using tensor::Index;

namespace {

std::vector<std::string> defines_of(const ScoresParams& params, bool bias) {
  using Kind = Mask::Kind;
  std::vector<std::string> defines;
  if (params.mask.kind == Kind::causal) defines.emplace_back("CAUSAL");
  if (params.mask.kind == Kind::sliding) defines.emplace_back("SLIDING");
  if (params.mask.kind == Kind::prefix) defines.emplace_back("PREFIX");
  if (params.cap) defines.emplace_back("CAP");
  if (bias) defines.emplace_back("BIAS");
  if (!params.padding.empty()) defines.emplace_back("PADDING");
  return defines;
}

}  // namespace

void scores_gpu(gpu::Device& device, tensor::View<const float> q, tensor::View<const float> k,
                const ScoresParams& params, tensor::View<float> s, tensor::View<const float> bias) {
  check_scores(params, k.rows);
  if (s.empty()) return;
  const gpu::Program& program = device.program("scores", defines_of(params, !bias.empty()));
  program.set("queries", static_cast<unsigned>(q.rows));
  program.set("keys", static_cast<unsigned>(k.rows));
  program.set("width", static_cast<unsigned>(q.cols));
  if (params.mask.kind == Mask::Kind::sliding)
    program.set("window",
                static_cast<int>(std::min<Index>(params.mask.window, std::numeric_limits<int>::max())));
  if (params.mask.kind == Mask::Kind::prefix)
    program.set("prefix", static_cast<unsigned>(std::min(params.mask.prefix, k.rows)));
  if (params.cap) program.set("cap", static_cast<float>(*params.cap));

  std::vector<float> factor(static_cast<std::size_t>(q.rows));
  for (Index t = 0; t < q.rows; ++t)
    factor[static_cast<std::size_t>(t)] = static_cast<float>(score_factor(params, t, q.rows, k.rows, q.cols));
  const std::vector<float> padding(params.padding.begin(), params.padding.end());

  const gpu::Buffer q_buffer(q), k_buffer(k), s_buffer(static_cast<std::size_t>(s.size()) * sizeof(float)),
      factor_buffer{std::span<const float>(factor)}, bias_buffer(bias),
      padding_buffer{std::span<const float>(padding)};
  const gpu::Buffer* const buffers[] = {&q_buffer,      &k_buffer,    &s_buffer,
                                        &factor_buffer, &bias_buffer, &padding_buffer};
  constexpr Index tile = 16;  // as in scores.comp
  device.dispatch_groups(program, buffers, ((q.rows + tile - 1) / tile) * ((k.rows + tile - 1) / tile));
  s_buffer.read(s);
}

}  // namespace orrery::attention
