// Loops as long as a driver goes through them, and one turn more: every op whose shader sums over its data.
#include <cmath>

#include "core/activation/feed_forward.h"
#include "core/attention/attention.h"
#include "core/embedding/unembedding.h"
#include "core/norm/batch_norm.h"
#include "core/norm/group_norm.h"
#include "core/norm/layer_norm.h"
#include "core/norm/rms_norm.h"
#include "core/norm/scale_norm.h"
#include "core/tensor/declined.h"
#include "tests/core/gpu/gl_test.h"

namespace orrery::gpu::loops_gl_test {
namespace {

using tensor::Index;
using tensor::Matrix;

class LoopsGlTest : public LongGlTest {
 protected:
  void SetUp() override {
    LongGlTest::SetUp();
    if (!IsSkipped() && !device->info().software) GTEST_SKIP() << "this driver goes through any loop";
  }
};

/// ±0.37, or other values where the sums would else be 0: of every kind there are as many in every piece of the row.
Matrix<float> row(Index cols) {
  Matrix<float> x(1, cols);
  for (Index j = 0; j < cols; ++j) x(0, j) = j % 2 == 0 ? -0.37F : 0.74F;
  return x;
}

/// A row of the greatest length is right to `near` everywhere; one more is declined.
void expect_limit(const char* op, Index most, double near, auto twin, auto expected) {
  SCOPED_TRACE(op);
  const Matrix<float> x = row(most);
  Matrix<float> y(1, most), right(1, most);
  twin(x, y);
  expected(x, right);
  EXPECT_LE((y - right).cwiseAbs().maxCoeff(), near);
  const Matrix<float> longer = row(most + 1);
  Matrix<float> none(1, most + 1);
  try {
    twin(longer, none);
    ADD_FAILURE() << "a row of " << most + 1 << " was taken";
  } catch (const Declined& e) {
    EXPECT_NE(std::string(e.what()).find(std::to_string(most)), std::string::npos) << e.what();
  }
}

TEST_F(LoopsGlTest, Rows) {
  const Index three = Loops::over_row(0, 3).most(), four = Loops::over_row(0, 4).most();
  expect_limit(
      "rms_norm", three, 1e-6, [&](const auto& x, auto& y) { norm::rms_norm_gpu(*device, x, {}, {}, y); },
      [](const auto& x, auto& y) { norm::rms_norm_cpu<float>(x, {}, {}, y); });
  expect_limit(
      "scale_norm", three, 1e-6, [&](const auto& x, auto& y) { norm::scale_norm_gpu(*device, x, 1, {}, y); },
      [](const auto& x, auto& y) { norm::scale_norm_cpu<float>(x, 1, {}, y); });
  expect_limit(
      "softmax", three, 1e-12, [&](const auto& x, auto& y) { attention::softmax_gpu(*device, x, {}, y); },
      [](const auto& x, auto& y) { attention::softmax_cpu<float>(x, {}, y); });
  expect_limit(
      "layer_norm", four, 1e-6,
      [&](const auto& x, auto& y) { norm::layer_norm_gpu(*device, x, {}, {}, {}, y); },
      [](const auto& x, auto& y) { norm::layer_norm_cpu<float>(x, {}, {}, {}, y); });
  expect_limit(
      "group_norm", four, 1e-6,
      [&](const auto& x, auto& y) { norm::group_norm_gpu(*device, x, {}, {}, {.groups = 1}, y); },
      [](const auto& x, auto& y) { norm::group_norm_cpu<float>(x, {}, {}, {.groups = 1}, y); });
}

TEST_F(LoopsGlTest, Columns) {
  expect_limit(
      "batch_norm", Loops{.at_a_time = 16, .passes = 4}.most(), 1e-6,
      [&](const auto& x, auto& y) {
        const Matrix<float> turned = x.transpose();
        Matrix<float> result(turned.rows(), 1);
        norm::batch_norm_gpu(*device, turned, {}, {}, {}, result);
        y = result.transpose();
      },
      [](const auto& x, auto& y) {
        const Matrix<float> turned = x.transpose();
        Matrix<float> result(turned.rows(), 1);
        norm::batch_norm_cpu<float>(turned, {}, {}, {}, result);
        y = result.transpose();
      });
}

/// The inner axis of a product: a sum of `most` terms, which are 1 each.
void expect_product_limit(const char* op, auto product) {
  SCOPED_TRACE(op);
  const Index most = Loops::over_tiles(0).most();
  const Matrix<float> ones = Matrix<float>::Ones(1, most + 1);
  EXPECT_EQ(product(Matrix<float>(ones.leftCols(most))), static_cast<float>(most));
  EXPECT_THROW(product(ones), Declined);
}

TEST_F(LoopsGlTest, Products) {
  Matrix<float> y(1, 1);
  expect_product_limit("unembedding", [&](const Matrix<float>& x) {
    embedding::unembedding_gpu(*device, x, x, y);
    return y(0, 0);
  });
  expect_product_limit("scores", [&](const Matrix<float>& x) {
    attention::scores_gpu(*device, x, x, {.scale = 1}, y);
    return y(0, 0);
  });
  const Matrix<float> one = Matrix<float>::Ones(1, 1);
  expect_product_limit("feed_forward, width", [&](const Matrix<float>& x) {
    const Matrix<float> column = x.transpose();
    const activation::FeedForwardWeights<float> weights{.w1 = column, .w2 = one};
    activation::feed_forward_gpu(*device, x, weights, activation::Kind::relu, y);
    return y(0, 0);
  });
  expect_product_limit("feed_forward, hidden", [&](const Matrix<float>& x) {
    const Matrix<float> column = x.transpose();
    const activation::FeedForwardWeights<float> weights{.w1 = x, .w2 = column};
    activation::feed_forward_gpu(*device, one, weights, activation::Kind::relu, y);
    return y(0, 0);
  });
  // Weights of 1/S times values of S.
  expect_product_limit("attention", [&](const Matrix<float>& x) {
    const Matrix<float> keys = x.transpose(), values = (keys.array() * static_cast<float>(x.cols())).matrix();
    attention::attention_gpu(*device, Matrix<float>(one * 0), keys, values, {}, y);
    return std::round(y(0, 0));
  });
}

}  // namespace
}  // namespace orrery::gpu::loops_gl_test
