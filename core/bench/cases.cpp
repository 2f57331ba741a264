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
#include "core/bench/memory.h"
#include "core/gpu/device.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/op/op.h"
#include "core/position/rope.h"
#include "core/position/sinusoidal.h"
#include "core/tensor/random.h"

namespace orrery::bench {
namespace {

using tensor::Index;
using tensor::View;
using Floats = tensor::Matrix<float>;

/// The arrays of a case, kept alive by its closure. As a model keeps them: owned by the caller, written before.
struct Buffers {
  Index rows, cols;
  AlignedFloats x, y;
  Floats weight, bias;

  Buffers(Index r, Index c)
      : rows(r), cols(c), x(r * c), y(r * c), weight(Floats::Ones(1, c)), bias(Floats::Zero(1, c)) {
    const tensor::Random random(1);
    for (Index i = 0; i < r * c; ++i)
      x.data()[i] = static_cast<float>(random.normal(static_cast<std::uint64_t>(i)));
  }
  View<const float> in() const { return {x.data(), rows, cols}; }
  View<float> out() const { return {y.data(), rows, cols}; }
  std::span<float> input() const { return {x.data(), static_cast<std::size_t>(rows * cols)}; }
  std::span<const float> output() const { return {y.data(), static_cast<std::size_t>(rows * cols)}; }
};

std::string shape_of(Index rows, Index cols) {
  return std::to_string(rows) + "×" + std::to_string(cols);
}

/// Row i sees the columns up to i; the rest is −∞, as the scores op leaves it.
void mask_causally(Buffers& b) {
  for (Index i = 0; i < b.rows; ++i)
    std::fill(b.x.data() + i * b.cols + i + 1, b.x.data() + (i + 1) * b.cols, -INFINITY);
}

/// An op that reads and writes one rows × cols matrix; `body(buffers)` calls the twin.
template <class Body>
Case row_case(std::string op, std::string device, Index rows, Index cols, Body body,
              void (*prepare)(Buffers&) = nullptr) {
  auto buffers = std::make_shared<Buffers>(rows, cols);
  if (prepare != nullptr) prepare(*buffers);
  Case c{std::move(op),
         shape_of(rows, cols),
         std::move(device),
         2.0 * sizeof(float) * static_cast<double>(rows * cols),
         0,
         [buffers, body] { body(*buffers); }};
  c.inputs = {buffers->input()};
  c.output = buffers->output();
  return c;
}

std::span<const float> span_of(const Floats& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
}

std::span<float> all_of(Floats& m) {
  return {m.data(), static_cast<std::size_t>(m.size())};
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
  Case c = row_case(
      "softmax", device, tokens, tokens,
      [gpu = device == "gpu"](Buffers& b) {
        if (gpu)
          attention::softmax_gpu(gpu::Device::of_this_thread(), b.in(), {}, b.out());
        else
          attention::softmax_cpu<float>(b.in(), {}, b.out());
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

/// The table is made once, outside the timing, as models keep it.
Case rope_case(const std::string& device, position::RopeLayout layout, Index heads, Index tokens,
               Index width) {
  std::vector<double> positions(static_cast<std::size_t>(tokens));
  for (std::size_t m = 0; m < positions.size(); ++m) positions[m] = static_cast<double>(m);
  const auto table = position::rope_table(positions, position::rope_default_frequencies(width, 10000));
  const auto cos = std::make_shared<Floats>(table.cos.cast<float>()),
             sin = std::make_shared<Floats>(table.sin.cast<float>());
  Case c =
      row_case("rope", device, heads * tokens, width, [gpu = device == "gpu", layout, cos, sin](Buffers& b) {
        if (gpu)
          position::rope_gpu(gpu::Device::of_this_thread(), b.in(), *cos, *sin, layout, b.out());
        else
          position::rope_cpu<float>(b.in(), *cos, *sin, layout, b.out());
      });
  c.shape = std::to_string(heads) + "×" + shape_of(tokens, width) +
            (layout == position::RopeLayout::half ? " half" : " interleaved");
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
          false,
          {all_of(*q), all_of(*k)},
          all_of(*s)};
}

/// The weights, written out as tokens × tokens: half of 2n²d flops under a causal mask.
Case attention_case(Index tokens, Index width) {
  const auto q = std::make_shared<Buffers>(tokens, width), k = std::make_shared<Buffers>(tokens, width);
  const auto p = std::make_shared<AlignedFloats>(tokens * tokens);
  attention::AttentionParams params;
  params.scores.mask.kind = attention::Mask::Kind::causal;
  const auto n = static_cast<double>(tokens), d = static_cast<double>(width);
  return {"attention",
          "weights, causal, T " + std::to_string(tokens) + ", d " + std::to_string(width),
          "cpu",
          sizeof(float) * (2 * n * d + n * n),
          n * n * d,
          [=] {
            attention::attention_weights_cpu<float>(q->in(), k->in(), params,
                                                    View<float>(p->data(), tokens, tokens));
          },
          true,
          true,
          {q->input(), k->input()},
          {p->data(), static_cast<std::size_t>(tokens * tokens)}};
}

}  // namespace

std::vector<Case> cases(std::span<const std::string> ops, const Options& options) {
  for (const std::string& name : ops) op::find(name);  // unknown names are refused before anything is timed
  const std::string device = options.gpu ? "gpu" : "cpu";
  const auto wanted = [&](std::string_view op) {
    return ops.empty() || std::find(ops.begin(), ops.end(), op) != ops.end();
  };
  // A software driver moves about 2 GB/s: large shapes would only show that, slowly.
  const bool small = options.gpu && gpu::Device::of_this_thread().info().software;
  const Index large = small ? 512 : 4096;

  std::vector<Case> all;
  if (wanted("layer_norm"))
    all.push_back(layer_norm_case(device, large, large)), all.push_back(layer_norm_case(device, 512, 768));
  if (wanted("rms_norm"))
    all.push_back(rms_norm_case(device, large, large)), all.push_back(rms_norm_case(device, 512, 768));
  if (wanted("sinusoidal"))
    all.push_back(sinusoidal_case(device, 2 * large, large)),
        all.push_back(sinusoidal_case(device, 32 * large, 128));
  if (wanted("rope")) {
    for (const auto layout : {position::RopeLayout::half, position::RopeLayout::interleaved}) {
      all.push_back(rope_case(device, layout, small ? 4 : 32, large, 128));
      all.push_back(rope_case(device, layout, 12, 256, 64));
    }
  }
  if (wanted("scores"))
    all.push_back(scores_case(device, small ? 256 : 2048, 64)),
        all.push_back(scores_case(device, small ? 256 : 2048, 128));
  if (wanted("attention") && !options.gpu) {  // that device declines
    for (const Index width : {64, 128}) {
      all.push_back(attention_case(2048, width));
      all.push_back(attention_case(8192, width));
    }
  }
  if (wanted("softmax")) {
    for (const Index tokens : {large, large / 2, Index{512}}) {
      for (const bool causal : {false, true}) all.push_back(softmax_case(device, causal, tokens));
    }
  }
  if (wanted("activation")) {
    for (const auto kind : {activation::Kind::gelu, activation::Kind::gelu_tanh, activation::Kind::silu}) {
      all.push_back(activation_case(device, kind, large, large));
      all.push_back(activation_case(device, kind, 512, 768));
    }
  }
  return all;
}

}  // namespace orrery::bench
