// The sinusoidal table, and rotary positions with their frequencies from parameters or from a model's
// config.json.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/model/rope_config.h"
#include "core/op/adapters.h"
#include "core/op/operands.h"
#include "core/position/rope.h"
#include "core/position/sinusoidal.h"

namespace orrery::op {
namespace {

using parameter::Settings;
using position::RopeLayout;
using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

position::SinusoidalParams sinusoidal_params(const Settings& s) {
  using position::SinusoidalLayout;
  const std::string& layout = s.choice("layout");
  return {.base = s.real("base"),
          .layout = layout == "tensor2tensor" ? SinusoidalLayout::tensor2tensor
                    : layout == "fairseq"     ? SinusoidalLayout::fairseq
                                              : SinusoidalLayout::paper,
          .offset = s.real("offset")};
}

template <class T>
Array sinusoidal(const Call& call, auto&& twin) {
  const Index length = call.settings.integer("length"), dim = call.settings.integer("dim");
  constexpr Index most = Index{1} << 31;
  if (length * dim > most) {
    throw InvalidArgument("length: found " + std::to_string(length) + " with dim " + std::to_string(dim) +
                          "; allowed: length × dim up to " + std::to_string(most));
  }
  Matrix<T> output(length, dim);
  twin(sinusoidal_params(call.settings), View<T>(output));
  return array_of(output, {length, dim});
}

/// What turns the pairs, whoever said it.
struct Rotation {
  std::vector<double> inv_freq;
  double attention_factor = 1;
  RopeLayout layout = RopeLayout::interleaved;
};

Rotation rotation_from_settings(const Settings& s, Index width) {
  if (!s.is_default("layer")) {
    throw InvalidArgument("layer: found " + s.choice("layer") +
                          " without config; allowed: only beside config=FILE");
  }
  const Index rotary_dim = s.integer("rotary_dim") == 0 ? width : s.integer("rotary_dim");
  if (rotary_dim > width || rotary_dim % 2 != 0) {
    throw InvalidArgument("rotary_dim: found " + std::to_string(rotary_dim) +
                          "; allowed: an even number up to " + std::to_string(width) +
                          ", the last axis of x");
  }
  return {.inv_freq = position::rope_default_frequencies(rotary_dim, s.real("base")),
          .layout = s.choice("layout") == "half" ? RopeLayout::half : RopeLayout::interleaved};
}

const model::RopeLayer& layer_of(const model::RopeConfig& config, const Settings& s) {
  const std::string& wanted = s.choice("layer");
  std::string names;
  for (const model::RopeLayer& layer : config.layers) {
    if (layer.name == wanted) return layer;
    names += (names.empty() ? "" : ", ") + layer.name;
  }
  throw InvalidArgument("layer: found " + wanted + "; allowed with " + s.file("config") + ": " + names);
}

Rotation rotation_from_config(const Settings& s, Index width, double length) {
  for (const std::string_view name : {"base", "layout", "rotary_dim"}) {
    if (s.is_default(name)) continue;
    throw InvalidArgument(std::string(name) + ": found " + s.text(name) + " beside config=" +
                          s.file("config") + "; allowed: one of the two, for the file says it too");
  }
  const model::RopeConfig config = model::read_rope_config(s.file("config"), length);
  const model::RopeLayer& layer = layer_of(config, s);
  if (layer.head_dim != 0 && layer.head_dim != width) {
    throw InvalidArgument("x: found " + std::to_string(width) + " on the last axis; allowed: " +
                          std::to_string(layer.head_dim) + ", the head width of " + s.file("config"));
  }
  return {.inv_freq = layer.inv_freq, .attention_factor = layer.attention_factor, .layout = layer.layout};
}

std::vector<double> positions_of(const Call& call, Index tokens) {
  std::vector<double> positions(static_cast<std::size_t>(tokens));
  if (const Array* given = call.find("positions")) {
    if (given->shape != std::vector<Index>{tokens}) {
      throw InvalidArgument("positions: found shape " + tensor::shape_text(given->shape) +
                            "; allowed: " + std::to_string(tokens) + ", one for each token of x");
    }
    positions = given->values;
    if (!std::ranges::all_of(positions, [](double m) { return std::isfinite(m); })) {
      throw InvalidArgument(
          "positions: found a value that is not finite; allowed: finite numbers, in tokens");
    }
  } else {
    std::iota(positions.begin(), positions.end(), 0.0);
  }
  for (double& m : positions) m += call.settings.real("offset");
  return positions;
}

/// x, its table and its layout.
struct RopeOperands {
  const Array& x;
  position::RopeTable table;
  RopeLayout layout;
};

RopeOperands rope_operands(const Call& call) {
  const Array& x = input_with_axes(call, "x", 2, "… × T × d");
  const std::vector<double> positions = positions_of(call, *(x.shape.end() - 2));
  // Rules that change with the length of the text go by the last position in it, as Hugging Face does.
  const double length = positions.empty() ? 1 : std::max(1.0, *std::ranges::max_element(positions) + 1);
  const Rotation rotation = call.settings.file("config").empty()
                                ? rotation_from_settings(call.settings, x.cols())
                                : rotation_from_config(call.settings, x.cols(), length);
  return {x, position::rope_table(positions, rotation.inv_freq, rotation.attention_factor), rotation.layout};
}

/// The fast twins take the table in their own scalar; ref takes it as it is.
template <class T>
Array rope(const Call& call, auto&& twin) {
  const RopeOperands operands = rope_operands(call);
  const Matrix<T> input = matrix_of<T>(operands.x);
  const Matrix<T> cos = operands.table.cos.template cast<T>(), sin = operands.table.sin.template cast<T>();
  Matrix<T> output(input.rows(), input.cols());
  twin(View<const T>(input), View<const T>(cos), View<const T>(sin), operands.layout, View<T>(output));
  return array_of(output, operands.x.shape);
}

}  // namespace

Array Sinusoidal::ref(const Call& call) {
  return sinusoidal<double>(call, position::sinusoidal_ref);
}

Array Sinusoidal::cpu(const Call& call) {
  return in_compute_format(call,
                           [&]<class T>(T) { return sinusoidal<T>(call, position::sinusoidal_cpu<T>); });
}

Array Sinusoidal::gpu(const Call& call) {
  gpu::Device& device = device_of(call);
  return sinusoidal<float>(call, [&](auto... args) { position::sinusoidal_gpu(device, args...); });
}

Bounds Sinusoidal::bounds(const Call&) {
  return {position::sinusoidal_bound, position::sinusoidal_bound};
}

Array Rope::ref(const Call& call) {
  const RopeOperands operands = rope_operands(call);
  Matrix<double> output(operands.x.rows(), operands.x.cols());
  position::rope_ref(operands.x.matrix(), operands.table, operands.layout, View<double>(output));
  return array_of(output, operands.x.shape);
}

Array Rope::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return rope<T>(call, position::rope_cpu<T>); });
}

Array Rope::gpu(const Call& call) {
  gpu::Device& device = device_of(call);
  return rope<float>(call, [&](auto... args) { position::rope_gpu(device, args...); });
}

Bounds Rope::bounds(const Call&) {
  // The contract compares under one table; here ref keeps its own in double, and the fast twins round theirs:
  // once more u(|c x_a| + |s x_b|), u = 2⁻²⁴, which is √2 u of the row's largest result. Both together: (2 +
  // √2)² u² < 12 u².
  const auto with_rounded_table = [](tensor::Bound b) {
    b.row += 0x1.6bp-24;
    b.nmse = 12 * 0x1p-48;
    return b;
  };
  return {with_rounded_table(position::rope_bound), with_rounded_table(position::rope_gpu_bound)};
}

}  // namespace orrery::op
