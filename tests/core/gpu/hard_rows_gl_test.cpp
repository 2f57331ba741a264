// Rows and sums whose errors do not average out, on the graphics device: within the bounds, which are worst cases.
#include <cmath>
#include <vector>

#include "core/activation/feed_forward.h"
#include "core/activation/feed_forward_bound.h"
#include "core/attention/scores.h"
#include "core/attention/softmax.h"
#include "core/embedding/unembedding.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/norm/scale_norm.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/hard_rows.h"
#include "tests/support/within.h"

namespace orrery::gpu::hard_rows_gl_test {
namespace {

using tensor::Index;
using tensor::Matrix;
using tensor::View;

using HardRowsGlTest = GlTest;
using LongHardRowsGlTest = LongGlTest;

TEST_F(HardRowsGlTest, Norms) {
  support::expect_on_hard_rows(
      "rms_norm", norm::rms_norm_gpu_bound,
      [&](const auto& x, auto& y) { norm::rms_norm_gpu(*device, x, {}, {}, y); },
      [](const auto& x, auto& y) { norm::rms_norm_ref(x, {}, {}, y); });
  support::expect_on_hard_rows(
      "scale_norm", norm::scale_norm_gpu_bound,
      [&](const auto& x, auto& y) { norm::scale_norm_gpu(*device, x, 2, {}, y); },
      [](const auto& x, auto& y) { norm::scale_norm_ref(x, 2, {}, y); });
  support::expect_on_hard_rows(
      "layer_norm", norm::layer_norm_gpu_bound,
      [&](const auto& x, auto& y) { norm::layer_norm_gpu(*device, x, {}, {}, {}, y); },
      [](const auto& x, auto& y) { norm::layer_norm_ref(x, {}, {}, {}, y); });
}

TEST_F(HardRowsGlTest, InfinitiesSpoilTheirPlaceAndNoMore) {
  Matrix<float> x = Matrix<float>::Constant(1, 300, 1), y(1, 300);
  x(0, 7) = INFINITY;
  norm::rms_norm_gpu(*device, x, {}, {}, y);
  EXPECT_TRUE(std::isnan(y(0, 7)));
  EXPECT_EQ(y(0, 8), 0);
  norm::scale_norm_gpu(*device, x, 1, {}, y);
  EXPECT_TRUE(std::isnan(y(0, 7)));
  EXPECT_EQ(y(0, 8), 0);
  Matrix<float> s(1, 1);
  embedding::unembedding_gpu(*device, x, Matrix<float>(Matrix<float>::Ones(1, 300)), s);
  EXPECT_EQ(s(0, 0), INFINITY);
}

TEST_F(HardRowsGlTest, Softmax) {
  // Far apart in the exponent, and a sink that takes nearly all.
  for (const double temperature : {1.0, 0.3, 0.035965876779463495}) {
    for (const std::optional<double> sink : {std::optional<double>(), std::optional<double>(3.1)}) {
      const attention::SoftmaxParams params{.temperature = temperature, .sink = sink};
      support::expect_on_hard_rows(
          "softmax", attention::softmax_gpu_bound,
          [&](const Matrix<float>& x, auto& y) {
            attention::softmax_gpu(*device, Matrix<float>((x.array() * 0.01F).matrix()), params, y);
          },
          [&](const Matrix<double>& x, auto& y) {
            const Matrix<double> in = (x.cast<float>().array() * 0.01F).matrix().cast<double>();
            attention::softmax_ref(in, params, y);
          });
    }
  }
}

/// x·b of a hard row and a constant column, under `bound`; every sum is one of terms of one sign.
void expect_sums(const char* what, Index cols, double allowed, auto product) {
  double worst = 0;
  for (const support::HardRow& row : support::hard_rows(cols)) {
    const std::string& name = row.name;
    const Matrix<double>& x = row.x;
    if (name == "subnormal") continue;
    const Matrix<float> in = x.cast<float>(), b = Matrix<float>::Constant(1, cols, 0.14036824F);
    const Matrix<double> wide = b.cast<double>();
    const double exact = x.row(0).dot(wide.row(0)),
                 magnitude = x.cwiseAbs().row(0).dot(wide.cwiseAbs().row(0));
    const double used = std::abs(static_cast<double>(product(in, b)) - exact) / (allowed * magnitude);
    EXPECT_LE(used, 1) << what << ", " << name << " × " << cols;
    worst = std::max(worst, used);
  }
  std::printf("  worst of %s × %d: %.2f of the bound\n", what, static_cast<int>(cols), worst);
}

TEST_F(LongHardRowsGlTest, Products) {
  for (const Index cols : {16, 128, 1024, 16384}) {
    Matrix<float> s(1, 1);
    expect_sums("scores", cols, attention::scores_gpu_bound(cols), [&](const auto& x, const auto& b) {
      attention::scores_gpu(*device, x, b, {.scale = 1}, s);
      return s(0, 0);
    });
    expect_sums("unembedding", cols, embedding::unembedding_bound(cols), [&](const auto& x, const auto& b) {
      embedding::unembedding_gpu(*device, x, b, s);
      return s(0, 0);
    });
  }
}

}  // namespace
}  // namespace orrery::gpu::hard_rows_gl_test
