// Activation functions on the graphics device against the reference.
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/activation/activation.h"
#include "core/activation/glu.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/inputs.h"

namespace orrery::gpu::activation_gl_test {
namespace {

using activation::Kind;
using tensor::Index;

using ActivationGlTest = GlTest;

std::vector<std::pair<Kind, const char*>> kinds() {
  std::vector<std::pair<Kind, const char*>> all;
  for (const std::string_view name : activation::kind_names)
    all.emplace_back(activation::kind_from_name(name), name.data());
  return all;
}

void expect_activation(Device& device, Worst& worst, const tensor::Matrix<double>& x,
                       const activation::ActivationParams& params, const std::string& what) {
  const tensor::Matrix<float> x_floats = x.cast<float>();
  tensor::Matrix<double> reference(x.rows(), x.cols());
  activation::activation_ref(x, params, reference);
  support::GuardedMatrix<float> y(x.rows(), x.cols());
  activation::activation_gpu(device, x_floats, params, y.view());
  worst.expect(y, y.view(), reference, activation::activation_gpu_bound(params.kind, params.beta), what);
}

TEST_F(ActivationGlTest, OnEveryInput) {
  for (const auto& [kind, name] : kinds()) {
    Worst worst(name);
    for (const support::InputSet& set : support::input_sets())
      for (Index cols : widths)
        expect_activation(*device, worst, set.make(3, cols), kind, case_name(set.name, 3, cols));
  }
}

// Every 4001st float from the smallest normal one to 128, on both sides: the bit patterns, not a grid, so
// that small values are seen as often as large ones, and both tails to where they leave the range of float.
TEST_F(ActivationGlTest, OverTheBitPatterns) {
  constexpr std::uint32_t first = 0x00800000, last = 0x43000000, step = 4001;
  constexpr Index count = (last - first) / step + 1;
  tensor::Matrix<double> x(2, count);
  for (Index i = 0; i < count; ++i) {
    x(0, i) = std::bit_cast<float>(first + static_cast<std::uint32_t>(i) * step);
    x(1, i) = -x(0, i);
  }
  for (const auto& [kind, name] : kinds()) {
    Worst worst(name);
    expect_activation(*device, worst, x, kind, "bit patterns");
  }
}

TEST_F(ActivationGlTest, WithParameters) {
  const tensor::Matrix<double> x = tensor::Matrix<double>::NullaryExpr(
      1, 20001, [](Index, Index j) { return double(float(-60 + 0.006 * double(j))); });
  for (const double constant : {1e-3, 0.3, 1.702, 7.0})
    for (const Kind kind : {Kind::leaky_relu, Kind::elu, Kind::swish, Kind::softplus}) {
      activation::ActivationParams params(kind);
      params.alpha = params.beta = constant;
      Worst worst(std::string(name(kind)) + " with " + std::to_string(constant));
      expect_activation(*device, worst, x, params, "−60 … 60");
    }
}

TEST_F(ActivationGlTest, AtTheEdges) {
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  const double largest = std::numeric_limits<float>::max();
  tensor::Matrix<double> x(1, 10);
  x << 0, -0.0, infinity, -infinity, nan, -nan, 1, largest, -largest, 0x1p-149;
  for (const auto& [kind, name] : kinds()) {
    Worst worst(name);
    expect_activation(*device, worst, x, kind, "edges");
  }
}

TEST_F(ActivationGlTest, GatesWithLimitsOffsetsAndAlternatingColumns) {
  activation::Gate gpt_oss = Kind::gelu_quick, bilinear = Kind::sigmoid;
  gpt_oss.limit = 1.5, gpt_oss.offset = 1;
  bilinear.linear = true, bilinear.offset = -0.3;
  Worst worst("gates");
  for (const activation::Gate& gate : {gpt_oss, bilinear, activation::Gate(Kind::tanh)})
    for (const auto half : {activation::Half::first, activation::Half::second})
      for (const bool interleaved : {false, true}) {
        tensor::Matrix<double> x = 2 * support::normal_floats(5, 66), reference(5, 33);
        x(1, 4) = std::numeric_limits<double>::quiet_NaN();
        x(2, 5) = std::numeric_limits<double>::infinity();
        const activation::GluParams params{.gate = gate, .gated = half, .interleaved = interleaved};
        activation::glu_ref(x, params, reference);
        support::GuardedMatrix<float> y(5, 33);
        activation::glu_gpu(*device, x.cast<float>().eval(), params, y.view());
        worst.expect(y, y.view(), reference, activation::glu_gpu_bound(params, 8), "5×66");
      }
}

TEST_F(ActivationGlTest, EmptyIsLeftAlone) {
  tensor::Matrix<float> none(0, 4);
  EXPECT_NO_THROW(activation::activation_gpu(*device, none, Kind::silu, none));
}

}  // namespace
}  // namespace orrery::gpu::activation_gl_test
