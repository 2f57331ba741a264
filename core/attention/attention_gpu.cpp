// Three dispatches: scores, their softmax, the means of the values. The scores never leave the device.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/attention/attention.h"
#include "core/gpu/attention_steps.h"
#include "core/gpu/device.h"
#include "core/tensor/declined.h"

namespace orrery::attention {

using tensor::Index;
using tensor::View;

namespace {

/// Beyond it a product of a query and a key may not be a float, and a softmax of infinities says nothing.
constexpr double largest_product = 1e38;

void require_in_range(View<const float> q, View<const float> k, const AttentionParams& params) {
  AttentionParams plain;
  plain.scores.scale = 1;
  AttentionParams scaled = params;
  scaled.softmax.temperature = 1;
  const double largest = std::max(largest_logit(q, k, plain), largest_logit(q, k, scaled));
  if (!std::isfinite(largest) || largest <= largest_product) return;  // NaN goes where it goes on the cpu
  char found[32], most[32];
  std::snprintf(found, sizeof found, "%.1e", largest);
  std::snprintf(most, sizeof most, "%.0e", largest_product);
  throw Declined(about(Subject::Kind::device, "gpu")
                     .found(found)
                     .fault("found logits up to {}", found)
                     .allowed("up to {} here, or any with ref and cpu", most));
}

/// T × S, both above 0.
gpu::Buffer weights_on_device(gpu::Device& device, View<const float> q, View<const float> k,
                              const AttentionParams& params, View<const float> bias) {
  require_in_range(q, k, params);
  const gpu::Buffer s = scores_on_device(device, q, k, params.scores, bias);
  gpu::Buffer p(s.bytes());
  softmax_on_device(device, s, q.rows, k.rows, params.softmax, p);
  return p;
}

void check(const AttentionParams& params, Index keys) {
  check_scores(params.scores, keys);
  check_softmax(params.softmax, keys);
}

}  // namespace

void attention_weights_gpu(gpu::Device& device, View<const float> q, View<const float> k,
                           const AttentionParams& params, View<float> p, View<const float> bias) {
  check(params, k.rows);
  if (!p.empty()) weights_on_device(device, q, k, params, bias).read(p);
}

void attention_lse_gpu(gpu::Device& device, View<const float> q, View<const float> k,
                       const AttentionParams& params, View<float> lse, View<const float> bias) {
  check(params, k.rows);
  if (lse.empty()) return;
  if (k.rows == 0) {
    const auto& [temperature, sink, mask] = params.softmax;
    lse.eigen().setConstant(sink ? static_cast<float>(*sink / temperature) : -INFINITY);
    return;
  }
  require_in_range(q, k, params);
  const gpu::Buffer s = scores_on_device(device, q, k, params.scores, bias);
  const gpu::Buffer lse_buffer(static_cast<std::size_t>(lse.size()) * sizeof(float));
  softmax_on_device(device, s, q.rows, k.rows, params.softmax, lse_buffer, SoftmaxOutput::lse);
  lse_buffer.read(lse);
}

void attention_gpu(gpu::Device& device, View<const float> q, View<const float> k, View<const float> v,
                   const AttentionParams& params, View<float> o, View<const float> bias) {
  check(params, k.rows);
  if (o.empty()) return;
  if (k.rows == 0) {
    for (Index t = 0; t < o.rows; ++t) std::ranges::fill(o.row(t), 0.0F);
    return;
  }
  const gpu::Buffer p_buffer = weights_on_device(device, q, k, params, bias);
  const gpu::Program& program = masked_program(device, "attention_values", params.scores, q.rows, k.rows);
  program.set("width", static_cast<unsigned>(v.cols));
  const gpu::Buffer v_buffer(v), o_buffer(static_cast<std::size_t>(o.size()) * sizeof(float)),
      of_keys_buffer = keys_on_device(params.scores);
  const gpu::Buffer* const buffers[] = {&p_buffer, &v_buffer, &o_buffer, &of_keys_buffer};
  device.dispatch_tiles(program, buffers, o.rows, o.cols, gpu::Loops::over_tiles(k.rows));
  o_buffer.read(o);
}

}  // namespace orrery::attention
