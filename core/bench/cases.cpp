// What is measured: each op at a size that memory limits and at one that fits the caches. Inputs are seeded
// normals.
#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

#include "core/activation/activation.h"
#include "core/attention/attention.h"
#include "core/attention/scores.h"
#include "core/attention/softmax.h"
#include "core/bench/benchmark.h"
#include "core/bench/case_parts.h"
#include "core/gpu/device.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/op/op.h"
#include "core/position/rope.h"
#include "core/position/sinusoidal.h"

namespace orrery::bench {
namespace {

/// Row i sees the columns up to i; the rest is −∞, as the scores op leaves it: for those who know no mask.
void mask_causally(Buffers& b) {
  for (Index i = 0; i < b.rows; ++i)
    std::fill(b.x.data() + i * b.cols + i + 1, b.x.data() + (i + 1) * b.cols, -INFINITY);
}

Case layer_norm_case(const std::string& device, Index rows, Index cols) {
  return row_case("layer_norm", device, rows, cols, [gpu = device == "gpu"](Buffers& b) {
    const auto w = span_of(b.weight), c = span_of(b.bias);
    if (gpu)
      norm::layer_norm_gpu(gpu::Device::of_this_thread(), b.in(), w, c, {}, b.out());
    else
      norm::layer_norm_cpu<float>(b.in(), w, c, {}, b.out());
  });
}

Case rms_norm_case(const std::string& device, Index rows, Index cols) {
  return row_case("rms_norm", device, rows, cols, [gpu = device == "gpu"](Buffers& b) {
    if (gpu)
      norm::rms_norm_gpu(gpu::Device::of_this_thread(), b.in(), span_of(b.weight), {}, b.out());
    else
      norm::rms_norm_cpu<float>(b.in(), span_of(b.weight), {}, b.out());
  });
}

Case softmax_case(const std::string& device, bool causal, Index tokens) {
  attention::SoftmaxParams params;
  if (causal) params.mask.kind = attention::Mask::Kind::causal;
  Case c = row_case(
      "softmax", device, tokens, tokens,
      [gpu = device == "gpu", params](Buffers& b) {
        if (gpu)
          attention::softmax_gpu(gpu::Device::of_this_thread(), b.in(), params, b.out());
        else
          attention::softmax_cpu<float>(b.in(), params, b.out());
      },
      causal ? &mask_causally : nullptr);
  if (causal) c.shape += " causal";
  return c;
}

Case activation_case(const std::string& device, activation::Kind kind, Index rows, Index cols) {
  Case c = row_case("activation", device, rows, cols, [gpu = device == "gpu", kind](Buffers& b) {
    if (gpu)
      activation::activation_gpu(gpu::Device::of_this_thread(), b.in(), kind, b.out());
    else
      activation::activation_cpu<float>(b.in(), kind, b.out());
  });
  c.shape.append(" ").append(activation::name(kind));
  return c;
}

/// The table is made once, outside the timing, as models keep it. In place, y is turned on and on.
Case rope_case(const std::string& device, position::RopeLayout layout, Index heads, Index tokens, Index width,
               bool in_place = false) {
  std::vector<double> positions(static_cast<std::size_t>(tokens));
  for (std::size_t m = 0; m < positions.size(); ++m) positions[m] = static_cast<double>(m);
  const auto table = position::rope_table(positions, position::rope_default_frequencies(width, 10000));
  const auto cos = std::make_shared<Floats>(table.cos.cast<float>()),
             sin = std::make_shared<Floats>(table.sin.cast<float>());
  const auto turn = [gpu = device == "gpu", layout, in_place, cos, sin](Buffers& b) {
    const View<const float> in = in_place ? View<const float>(b.out()) : b.in();
    if (gpu)
      position::rope_gpu(gpu::Device::of_this_thread(), in, *cos, *sin, layout, b.out());
    else
      position::rope_cpu<float>(in, *cos, *sin, layout, b.out());
  };
  Case c = row_case("rope", device, heads * tokens, width, turn,
                    [](Buffers& b) { std::copy_n(b.x.data(), b.rows * b.cols, b.y.data()); });
  c.shape = std::to_string(heads) + "×" + shape_of(tokens, width) +
            (layout == position::RopeLayout::half ? " half" : " interleaved") + (in_place ? " in place" : "");
  return c;
}

Case sinusoidal_case(const std::string& device, Index length, Index width) {
  const auto y = std::make_shared<AlignedFloats>(length * width);
  const View<float> out(y->data(), length, width);
  const bool gpu = device == "gpu";
  return {"sinusoidal",
          shape_of(length, width),
          device,
          sizeof(float) * static_cast<double>(out.size()),
          0,
          [=] {
            static_cast<void>(y);  // kept alive
            if (gpu)
              position::sinusoidal_gpu(gpu::Device::of_this_thread(), {}, out);
            else
              position::sinusoidal_cpu<float>({}, out);
          },
          false,
          false,
          {},
          {y->data(), static_cast<std::size_t>(out.size())}};
}

Case scores_case(const std::string& device, Index tokens, Index width) {
  auto q = std::make_shared<Floats>(tensor::Random(1).normals(tokens, width).cast<float>());
  auto k = std::make_shared<Floats>(tensor::Random(2).normals(tokens, width).cast<float>());
  auto s = std::make_shared<Floats>(Floats::Zero(tokens, tokens));
  attention::ScoresParams params;
  params.mask.kind = attention::Mask::Kind::causal;
  const bool gpu = device == "gpu";
  const auto n = static_cast<double>(tokens), d = static_cast<double>(width);
  return {"scores",
          "T " + std::to_string(tokens) + ", d " + std::to_string(width),
          device,
          sizeof(float) * (2 * n * d + n * n),
          n * n * d /* half of 2n²d: causal */,
          [=] {
            if (gpu)
              attention::scores_gpu(gpu::Device::of_this_thread(), View<const float>(*q),
                                    View<const float>(*k), params, View<float>(*s));
            else
              attention::scores_cpu<float>(View<const float>(*q), View<const float>(*k), params,
                                           View<float>(*s));
          },
          true,
          true,
          {all_of(*q), all_of(*k)},
          all_of(*s)};
}

/// The weights, written out as tokens × tokens: half of 2n²d flops under a causal mask.
Case attention_case(const std::string& device, Index tokens, Index width) {
  const auto q = std::make_shared<Buffers>(tokens, width), k = std::make_shared<Buffers>(tokens, width);
  const auto p = std::make_shared<AlignedFloats>(tokens * tokens);
  attention::AttentionParams params;
  params.scores.mask.kind = attention::Mask::Kind::causal;
  const auto n = static_cast<double>(tokens), d = static_cast<double>(width);
  return {"attention",
          "weights, causal, T " + std::to_string(tokens) + ", d " + std::to_string(width),
          device,
          sizeof(float) * (2 * n * d + n * n),
          n * n * d,
          [=, gpu = device == "gpu"] {
            const View<float> out(p->data(), tokens, tokens);
            if (gpu)
              attention::attention_weights_gpu(gpu::Device::of_this_thread(), q->in(), k->in(), params, out);
            else
              attention::attention_weights_cpu<float>(q->in(), k->in(), params, out);
          },
          true,
          true,
          {q->input(), k->input()},
          {p->data(), static_cast<std::size_t>(tokens * tokens)}};
}

void plan_norms(Plan& plan, Index large) {
  for (const auto& [rows, cols] : {std::pair(large, large), std::pair(Index{512}, Index{768})}) {
    plan.add("layer_norm", [=, d = plan.device] { return layer_norm_case(d, rows, cols); });
    plan.add("rms_norm", [=, d = plan.device] { return rms_norm_case(d, rows, cols); });
  }
}

void plan_positions(Plan& plan, Index large) {
  for (const auto& [length, width] : {std::pair(2 * large, large), std::pair(32 * large, Index{128})})
    plan.add("sinusoidal", [=, d = plan.device] { return sinusoidal_case(d, length, width); });
  const Index heads = plan.small ? 4 : 32;
  for (const auto layout : {position::RopeLayout::half, position::RopeLayout::interleaved}) {
    plan.add("rope", [=, d = plan.device] { return rope_case(d, layout, heads, large, 128); });
    plan.add("rope", [=, d = plan.device] { return rope_case(d, layout, 12, 256, 64); });
    if (plan.device == "cpu")  // to the gpu, x and y are two buffers
      plan.add("rope", [=, d = plan.device] { return rope_case(d, layout, heads, large, 128, true); });
  }
}

void plan_attention(Plan& plan, Index large) {
  const Index tokens = plan.small ? 256 : 2048;
  for (const Index width : {Index{64}, Index{128}})
    plan.add("scores", [=, d = plan.device] { return scores_case(d, tokens, width); });
  for (const Index width : {Index{64}, Index{128}}) {
    for (const Index n : {tokens, 4 * tokens})
      plan.add("attention", [=, d = plan.device] { return attention_case(d, n, width); });
  }
  for (const Index n : {large, large / 2, Index{512}}) {
    for (const bool causal : {false, true})
      plan.add("softmax", [=, d = plan.device] { return softmax_case(d, causal, n); });
  }
}

void plan_activations(Plan& plan, Index large) {
  for (const auto kind : {activation::Kind::gelu, activation::Kind::gelu_tanh, activation::Kind::silu}) {
    plan.add("activation", [=, d = plan.device] { return activation_case(d, kind, large, large); });
    plan.add("activation", [=, d = plan.device] { return activation_case(d, kind, 512, 768); });
  }
}

}  // namespace

std::vector<Planned> planned(std::span<const std::string> ops, const Options& options) {
  for (const std::string& name : ops) op::find(name);  // unknown names are refused before anything is timed
  Plan plan{.ops = {ops.begin(), ops.end()}, .device = options.gpu ? "gpu" : "cpu"};
  plan.small = options.gpu && gpu::Device::of_this_thread().info().software;
  const Index large = plan.small ? 512 : 4096;
  plan_norms(plan, large);
  plan_norm_kin(plan);
  plan_positions(plan, large);
  plan_biases(plan);
  plan_attention(plan, large);
  plan_activations(plan, large);
  plan_networks(plan);
  return plan.cases;
}

std::vector<Case> cases(std::span<const std::string> ops, const Options& options) {
  std::vector<Case> all;
  for (const Planned& p : planned(ops, options)) all.push_back(p.make());
  return all;
}

}  // namespace orrery::bench
