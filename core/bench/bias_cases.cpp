// The biases on attention scores: matrices of heads × length × length, made from nothing. The values by distance are
// made anew in each call, as the op does.
#include "core/bench/case_parts.h"
#include "core/gpu/device.h"
#include "core/position/alibi.h"
#include "core/position/fire.h"
#include "core/position/kerple.h"
#include "core/position/t5_bias.h"

namespace orrery::bench {
namespace {

constexpr Index heads = 8;

/// write(y) fills y, (heads · length) × length.
Case bias_case(std::string op, const std::string& device, Index length,
               std::function<void(View<float> y)> write) {
  const auto y = std::make_shared<AlignedFloats>(heads * length * length);
  const View<float> out(y->data(), heads * length, length);
  Case c{std::move(op),
         std::to_string(heads) + "×" + shape_of(length, length),
         device,
         sizeof(float) * static_cast<double>(out.size()),
         0,
         [y, out, write] { write(out); }};
  c.reads = false;
  c.output = {y->data(), static_cast<std::size_t>(out.size())};
  return c;
}

/// Of a bias that depends on the distance alone: `values` gives one for each.
Case distance_case(std::string op, const std::string& device, Index length,
                   std::function<tensor::Matrix<double>()> values) {
  return bias_case(std::move(op), device, length, [gpu = device == "gpu", values](View<float> y) {
    const Floats v = values().cast<float>();
    if (gpu)
      position::relative_bias_gpu(gpu::Device::of_this_thread(), v, y);
    else
      position::relative_bias_cpu<float>(v, y);
  });
}

/// The paper's width: 32 hidden units in each of two layers.
Case fire_case(const std::string& device, Index length) {
  constexpr Index units = 32;
  const auto vector = [](Index n, std::uint64_t seed) {
    const tensor::Matrix<double> m = tensor::Random(seed).normals(1, n);
    return std::vector<double>(m.data(), m.data() + m.size());
  };
  const position::FireWeights weights{.w_in = vector(units, 1),
                                      .b_in = vector(units, 2),
                                      .w_mid = tensor::Random(3).normals(units, units),
                                      .b_mid = vector(units, 4),
                                      .w_out = tensor::Random(5).normals(heads, units),
                                      .b_out = vector(heads, 6)};
  position::FireParams params;
  params.direction = position::Direction::bidirectional;
  Case c = bias_case("fire", device, length, [gpu = device == "gpu", weights, params](View<float> y) {
    if (gpu)
      position::fire_gpu(gpu::Device::of_this_thread(), weights, params, y);
    else
      position::fire_cpu<float>(weights, params, y);
  });
  const auto n = static_cast<double>(length), m = static_cast<double>(units);
  c.flops = 2 * n * n * m * (1 + m + static_cast<double>(heads));
  c.arithmetic = true;
  return c;
}

}  // namespace

void plan_biases(Plan& plan) {
  using position::Direction;
  const Index length = plan.small ? 128 : 1024;
  plan.add("alibi", [=, d = plan.device] {
    return distance_case("alibi", d, length,
                         [=] { return position::alibi_values(heads, length, Direction::causal); });
  });
  plan.add("t5_bias", [=, d = plan.device] {
    const tensor::Matrix<double> table = tensor::Random(1).normals(32, heads);
    return distance_case("t5_bias", d, length,
                         [=] { return position::t5_bias_values<double>(table, {}, length); });
  });
  plan.add("kerple", [=, d = plan.device] {
    position::KerpleParams params;
    params.r1.assign(heads, 1);
    return distance_case("kerple", d, length, [=] { return position::kerple_values(params, length); });
  });
  plan.add("fire", [=, d = plan.device] { return fire_case(d, length / 4); });
}

}  // namespace orrery::bench
