// The norms on the graphics device against the reference, on the inputs that every op is tested on.
#include <limits>

#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/inputs.h"

namespace orrery::gpu::norm_gl_test {
namespace {

using norm::EpsPlace;
using norm::LayerNormParams;
using norm::RmsNormParams;
using tensor::Index;

using NormGlTest = GlTest;

/// D floats and the same as doubles.
struct Vector {
  explicit Vector(Index size, unsigned stream) : doubles(support::normal_floats(1, size, stream)) {
    floats = doubles.cast<float>();
  }
  operator std::span<const double>() const {
    return {doubles.data(), static_cast<std::size_t>(doubles.size())};
  }
  operator std::span<const float>() const { return {floats.data(), static_cast<std::size_t>(floats.size())}; }

  tensor::Matrix<double> doubles;
  tensor::Matrix<float> floats;
};

void expect_rms_norm(Device& device, Worst& worst, const tensor::Matrix<double>& x, const Vector& weight,
                     const RmsNormParams& params, const std::string& what) {
  const tensor::Matrix<float> x_floats = x.cast<float>();
  tensor::Matrix<double> reference(x.rows(), x.cols());
  norm::rms_norm_ref(x, weight, params, reference);
  support::GuardedMatrix<float> y(x.rows(), x.cols());
  norm::rms_norm_gpu(device, x_floats, weight, params, y.view());
  worst.expect(y, y.view(), reference, norm::rms_norm_gpu_bound, what);
}

void expect_layer_norm(Device& device, Worst& worst, const tensor::Matrix<double>& x, const Vector& weight,
                       const Vector& bias, const LayerNormParams& params, const std::string& what) {
  const tensor::Matrix<float> x_floats = x.cast<float>();
  tensor::Matrix<double> reference(x.rows(), x.cols());
  norm::layer_norm_ref(x, weight, bias, params, reference);
  support::GuardedMatrix<float> y(x.rows(), x.cols());
  norm::layer_norm_gpu(device, x_floats, weight, bias, params, y.view());
  worst.expect(y, y.view(), reference, norm::layer_norm_gpu_bound, what);
}

TEST_F(NormGlTest, RmsNormOnEveryInput) {
  Worst worst("rms_norm");
  for (const support::InputSet& set : support::input_sets())
    for (Index rows : row_counts)
      for (Index cols : widths)
        expect_rms_norm(*device, worst, set.make(rows, cols), Vector(0, 0), {},
                        case_name(set.name, rows, cols));
}

TEST_F(NormGlTest, RmsNormWithEveryParameter) {
  Worst worst("rms_norm");
  const Index rows = 3, cols = 257;
  const Vector weight(cols, 1);
  for (const support::InputSet& set : support::input_sets())
    for (EpsPlace place : {EpsPlace::inside, EpsPlace::outside})
      for (double eps : {1e-5, 1e-8, 1.0})
        for (double offset : {0.0, 1.0})
          expect_rms_norm(*device, worst, set.make(rows, cols), weight,
                          {.eps = eps, .eps_place = place, .weight_offset = offset},
                          case_name(set.name, rows, cols) + " eps " + std::to_string(eps));
}

TEST_F(NormGlTest, LayerNormOnEveryInput) {
  Worst worst("layer_norm");
  for (const support::InputSet& set : support::input_sets())
    for (Index rows : row_counts)
      for (Index cols : widths)
        expect_layer_norm(*device, worst, set.make(rows, cols), Vector(0, 0), Vector(0, 0), {},
                          case_name(set.name, rows, cols));
}

TEST_F(NormGlTest, LayerNormWithWeightAndBias) {
  Worst worst("layer_norm");
  const Index rows = 3, cols = 257;
  const Vector none(0, 0), weight(cols, 1), bias(cols, 2);
  for (const support::InputSet& set : support::input_sets()) {
    const std::string name = case_name(set.name, rows, cols);
    expect_layer_norm(*device, worst, set.make(rows, cols), weight, none, {}, name + " weight");
    expect_layer_norm(*device, worst, set.make(rows, cols), none, bias, {}, name + " bias");
    expect_layer_norm(*device, worst, set.make(rows, cols), weight, bias, {.eps = 1e-2}, name + " both");
  }
}

// Rows too long for shared memory (4096 values) are kept in y between the passes.
TEST_F(NormGlTest, RowsLongerThanSharedMemory) {
  for (Index cols : {4096, 4097, 20000}) {
    const tensor::Matrix<double> x = support::normal_floats(2, cols);
    Worst rms("rms_norm"), layer("layer_norm");
    expect_rms_norm(*device, rms, x, Vector(cols, 1), {}, case_name("normal", 2, cols));
    expect_layer_norm(*device, layer, x, Vector(cols, 1), Vector(cols, 2), {}, case_name("normal", 2, cols));
  }
}

// NaN and infinity stay in their row, wherever in it they are.
TEST_F(NormGlTest, RowsWithoutNumbers) {
  Worst rms("rms_norm"), layer("layer_norm");
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  tensor::Matrix<double> x = support::normal_floats(7, 300);
  x(1, 0) = nan;
  x(2, 299) = -nan;
  x(4, 128) = inf;
  x(5, 257) = -inf;
  expect_rms_norm(*device, rms, x, Vector(300, 1), {}, "NaN and infinity");
  expect_layer_norm(*device, layer, x, Vector(300, 1), Vector(300, 2), {}, "NaN and infinity");
}

// A constant row is exactly its bias: 0.1 is no float, and the sum of 1000 of them is rounded many times.
TEST_F(NormGlTest, ConstantRowsAreTheBias) {
  for (float value : {0.1F, -3.3e-20F, 1e30F, 3e38F}) {
    const tensor::Matrix<float> x = tensor::Matrix<float>::Constant(1, 1000, value);
    const Vector bias(1000, 2);
    tensor::Matrix<float> y(1, 1000);
    norm::layer_norm_gpu(*device, x, {}, bias, {}, y);
    EXPECT_TRUE(y == bias.floats) << value;
  }
}

TEST_F(NormGlTest, EmptyIsLeftAlone) {
  tensor::Matrix<float> none(0, 5), y = tensor::Matrix<float>::Constant(1, 3, 7);
  norm::rms_norm_gpu(*device, none, {}, {}, none);
  norm::layer_norm_gpu(*device, {y.data(), 3, 0}, {}, {}, {}, {y.data(), 3, 0});
  EXPECT_TRUE((y.array() == 7).all());
}

// y may be x.
TEST_F(NormGlTest, InPlace) {
  const tensor::Matrix<float> x = support::normal_floats(4, 33).cast<float>();
  tensor::Matrix<float> apart(4, 33), in_place = x;
  norm::rms_norm_gpu(*device, x, {}, {}, apart);
  norm::rms_norm_gpu(*device, in_place, {}, {}, in_place);
  EXPECT_TRUE(apart == in_place);
}

}  // namespace
}  // namespace orrery::gpu::norm_gl_test
