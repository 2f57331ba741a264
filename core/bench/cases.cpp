// What is measured: each op at a size that memory limits and at one that fits the caches. Inputs are seeded
// normals.
#include <algorithm>
#include <memory>
#include <sstream>

#include "core/activation/activation.h"
#include "core/attention/scores.h"
#include "core/attention/softmax.h"
#include "core/bench/benchmark.h"
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

/// The arrays of a case, kept alive by its closure.
struct Buffers {
  Floats x, y, weight, bias;

  Buffers(Index rows, Index cols)
      : x(tensor::Random(1).normals(rows, cols).cast<float>()), y(Floats::Zero(rows, cols)) {}
  View<const float> in() const { return x; }
  View<float> out() { return y; }
};

std::string shape_of(Index rows, Index cols) {
  return std::to_string(rows) + "×" + std::to_string(cols);
}

/// An op that reads and writes one rows × cols matrix; `body(buffers)` calls the twin.
template <class Body>
Case row_case(std::string op, std::string device, Index rows, Index cols, Body body) {
  auto buffers = std::make_shared<Buffers>(rows, cols);
  buffers->weight = Floats::Ones(1, cols);
  buffers->bias = Floats::Zero(1, cols);
  return {std::move(op),
          shape_of(rows, cols),
          std::move(device),
          2.0 * sizeof(float) * static_cast<double>(rows * cols),
          0,
          [buffers, body] { body(*buffers); }};
}

std::span<const float> span_of(const Floats& m) {
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

Case softmax_case(const std::string& device, Index rows, Index cols) {
  return row_case("softmax", device, rows, cols, [gpu = device == "gpu"](Buffers& b) {
    if (gpu)
      attention::softmax_gpu(gpu::Device::of_this_thread(), b.in(), {}, b.out());
    else
      attention::softmax_cpu<float>(b.in(), {}, b.out());
  });
}

Case activation_case(const std::string& device, Index rows, Index cols) {
  return row_case("activation", device, rows, cols, [gpu = device == "gpu"](Buffers& b) {
    constexpr auto kind = activation::Kind::gelu;
    if (gpu)
      activation::activation_gpu(gpu::Device::of_this_thread(), b.in(), kind, b.out());
    else
      activation::activation_cpu<float>(b.in(), kind, b.out());
  });
}

/// The table is made once, outside the timing, as models keep it.
Case rope_case(const std::string& device, Index heads, Index tokens, Index width) {
  std::vector<double> positions(static_cast<std::size_t>(tokens));
  for (std::size_t m = 0; m < positions.size(); ++m) positions[m] = static_cast<double>(m);
  const auto table = position::rope_table(positions, position::rope_default_frequencies(width, 10000));
  const auto cos = std::make_shared<Floats>(table.cos.cast<float>()),
             sin = std::make_shared<Floats>(table.sin.cast<float>());
  Case c = row_case("rope", device, heads * tokens, width, [gpu = device == "gpu", cos, sin](Buffers& b) {
    constexpr auto layout = position::RopeLayout::half;
    if (gpu)
      position::rope_gpu(gpu::Device::of_this_thread(), b.in(), *cos, *sin, layout, b.out());
    else
      position::rope_cpu<float>(b.in(), *cos, *sin, layout, b.out());
  });
  c.shape = std::to_string(heads) + "×" + shape_of(tokens, width);
  return c;
}

Case sinusoidal_case(const std::string& device, Index length, Index width) {
  return row_case("sinusoidal", device, length, width, [gpu = device == "gpu"](Buffers& b) {
    if (gpu)
      position::sinusoidal_gpu(gpu::Device::of_this_thread(), {}, b.out());
    else
      position::sinusoidal_cpu<float>({}, b.out());
  });
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
          }};
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
    all.push_back(sinusoidal_case(device, large, large)), all.push_back(sinusoidal_case(device, 4096, 128));
  if (wanted("rope"))
    all.push_back(rope_case(device, small ? 4 : 32, large, 128)),
        all.push_back(rope_case(device, 12, 256, 64));
  if (wanted("scores"))
    all.push_back(scores_case(device, small ? 256 : 2048, 64)),
        all.push_back(scores_case(device, small ? 256 : 2048, 128));
  if (wanted("softmax"))
    all.push_back(softmax_case(device, large, large)), all.push_back(softmax_case(device, 512, 512));
  if (wanted("activation"))
    all.push_back(activation_case(device, large, large)), all.push_back(activation_case(device, 512, 768));
  return all;
}

}  // namespace orrery::bench
