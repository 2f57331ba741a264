// Matrix products in float against double, element by element, within the stated bound of the sum of magnitudes.
#include "core/simd/product.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

#include "core/simd/share.h"
#include "core/tensor/random.h"
#include "tests/support/compare.h"
#include "tests/support/threads.h"

namespace orrery::simd::product_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

Matrix<float> normals(Index rows, Index cols, unsigned stream) {
  return tensor::Random(stream).normals(rows, cols).cast<float>();
}

/// The largest part of its bound that any element used.
double used(const Matrix<float>& x, const Matrix<float>& b, const Matrix<float>& bias, View<const float> y) {
  const Matrix<double> wide = x.cast<double>(), factor = b.cast<double>();
  const Matrix<double> exact = (wide * factor).rowwise() + bias.row(0).cast<double>();
  const Matrix<double> magnitude = wide.cwiseAbs() * factor.cwiseAbs();
  double worst = 0;
  for (Index i = 0; i < y.rows; ++i) {
    for (Index j = 0; j < y.cols; ++j) {
      const double allowed = product_bound(x.cols()) * (magnitude(i, j) + std::abs(bias(0, j)));
      worst =
          std::max(worst, std::abs(static_cast<double>(y(i, j)) - exact(i, j)) / std::max(allowed, 1e-300));
    }
  }
  return worst;
}

class Product : public testing::TestWithParam<std::tuple<Index, Index, Index>> {};

// Sizes on both sides of a tile (8 rows), a panel (48 columns or fewer), a block of the inner axis (1024 terms), the
// share of a thread (256 rows), of few rows that are turned (64, two panels of them; 512 terms; 96 columns), none at all, and
// panels enough for two threads to take two at a time, for one in two blocks and with one panel left over.
INSTANTIATE_TEST_SUITE_P(Shapes, Product,
                         testing::Values(std::tuple(1, 1, 1), std::tuple(7, 5, 9), std::tuple(8, 1024, 48),
                                         std::tuple(9, 1025, 49), std::tuple(3, 1000, 100),
                                         std::tuple(600, 33, 50), std::tuple(600, 1100, 50),
                                         std::tuple(257, 1500, 97), std::tuple(64, 4096, 16),
                                         std::tuple(1, 512, 300), std::tuple(49, 511, 97),
                                         std::tuple(50, 1100, 250), std::tuple(64, 2049, 193),
                                         std::tuple(5, 0, 6), std::tuple(40, 130, 1600),
                                         std::tuple(9, 1100, 800)));

TEST_P(Product, IsWithinItsBound) {
  const auto [M, K, N] = GetParam();
  const Matrix<float> x = normals(M, K, 1), b = normals(K, N, 2), bias = normals(1, N, 3);
  const Matrix<float> transposed = b.transpose();
  const std::span<const float> start(bias.data(), static_cast<std::size_t>(N));

  GuardedMatrix<float> y(M, N), z(M, N);
  product(x, Factor::of(b), start, y.view());
  product(x, Factor::transposed(transposed), start, z.view());
  EXPECT_TRUE(y.intact() && z.intact());
  const double worst = used(x, b, bias, y.view());
  EXPECT_LE(worst, 1);
  std::printf("  %td × %td × %td: %.1f %% of its bound\n", M, K, N, 100 * worst);
  for (Index i = 0; i < M; ++i)
    for (Index j = 0; j < N; ++j) EXPECT_EQ(y.view()(i, j), z.view()(i, j)) << i << ", " << j;
}

// Each sum is changed once, after it is complete, wherever it lies. (These rows do not start on lines: see StreamedProduct.)
TEST_P(Product, IsChangedAfterItIsComplete) {
  const auto [M, K, N] = GetParam();
  const Matrix<float> x = normals(M, K, 1), b = normals(K, N, 2), bias = normals(1, N, 3);
  const Matrix<float> transposed = b.transpose();
  const std::span<const float> start(bias.data(), static_cast<std::size_t>(N));
  Matrix<float> sums(M, N);
  product(x, Factor::of(b), start, sums);
  const Matrix<float> expected = (3 * sums.array() + 1).matrix();

  const auto change = [](View<float> part) {
    for (Index i = 0; i < part.rows; ++i)
      for (float& v : part.row(i)) v = 3 * v + 1;
  };
  for (const bool streamed : {false, true})
    for (const Factor& factor : {Factor::of(b), Factor::transposed(transposed)}) {
      GuardedMatrix<float> y(M, N);
      product(x, factor, start, y.view(), {.change = change, .streamed = streamed});
      EXPECT_TRUE(y.intact());
      EXPECT_EQ(Matrix<float>(y.view().eigen()), expected) << (streamed ? "streamed" : "as usual");
    }
}

// Rows of whole lines, which only then are written past the caches: whole panels, and a last one that is narrower.
TEST(StreamedProduct, IsTheSameToTheBit) {
  for (const Index N : {96, 768, 784}) {
    const Matrix<float> x = normals(70, 200, 4), b = normals(200, N, 5);
    Matrix<float> cached(70, N), streamed(70, N);
    ASSERT_TRUE(starts_on_lines(View<float>(streamed)));
    product(x, Factor::of(b), {}, cached);
    product(x, Factor::of(b), {}, streamed, {.streamed = true});
    EXPECT_EQ(cached, streamed) << N;
  }
}

// One term far above the others, which are alike, and all alike: every rounding goes one way.
TEST(ProductOfHardRows, IsWithinItsBound) {
  for (const Index K : {16, 128, 1024, 16384, 300000}) {
    for (const float above : {1.0F, 64.0F, 1000.0F, 1e5F}) {
      Matrix<float> x = Matrix<float>::Constant(1, K, 0.030268913F);
      x(0, 0) *= above;
      const Matrix<float> b = Matrix<float>::Constant(K, 1, 0.14036824F), none = Matrix<float>::Zero(1, 1);
      Matrix<float> y(1, 1);
      product(x, Factor::of(b), {}, y);
      const double worst = used(x, b, none, y);
      EXPECT_LE(worst, 1) << K << " terms, the first × " << above;
      std::printf("  %td terms, the first × %g: %.1f %% of the bound, %.1f units\n", K,
                  static_cast<double>(above), 100 * worst, worst * product_bound(K) / 0x1p-24);
    }
  }
}

// One thread takes panels in pairs where there are eight or more.
TEST(ProductByThreads, IsTheSameToTheBit) {
  for (const Index N : {70, 500}) {
    const Matrix<float> x = normals(700, 1100, 4), b = normals(1100, N, 5);
    const int threads = omp_get_max_threads();
    Matrix<float> one(700, N), many(700, N);
    omp_set_num_threads(1);
    product(x, Factor::of(b), {}, one);
    omp_set_num_threads(5);
    product(x, Factor::of(b), {}, many);
    omp_set_num_threads(threads);
    EXPECT_EQ(one, many) << N;
  }
}

TEST(ProductOfFewRows, IsTheSameToTheBitByAnyThreads) {
  const Matrix<float> x = normals(50, 600, 10), b = normals(500, 600, 11);
  const int threads = omp_get_max_threads();
  Matrix<float> one(50, 500), many(50, 500);
  omp_set_num_threads(1);
  product(x, Factor::transposed(b), {}, one);
  omp_set_num_threads(5);
  product(x, Factor::transposed(b), {}, many);
  omp_set_num_threads(threads);
  EXPECT_EQ(one, many);
}

// References and studies multiply by Eigen: its own threads would add up in another order.
TEST(ProductOfEigen, IsTheSameToTheBitByAnyThreads) {
  const Matrix<double> x = tensor::Random(12).normals(512, 512), b = tensor::Random(13).normals(512, 512);
  const support::Threads one_thread(1);
  const Matrix<double> one = x * b;
  const support::Threads five_threads(5);
  EXPECT_EQ(one, Matrix<double>(x * b));
}

// It cuts sums where its caches end, and asks the processor for them unless told not to: then a figure has other digits
// elsewhere.
TEST(ProductOfEigen, IsCutForTheSameCachesOnEveryProcessor) {
  EXPECT_EQ(Eigen::l1CacheSize(), Eigen::internal::defaultL1CacheSize);
  EXPECT_EQ(Eigen::l2CacheSize(), Eigen::internal::defaultL2CacheSize);
  EXPECT_EQ(Eigen::l3CacheSize(), Eigen::internal::defaultL3CacheSize);
}

TEST(ProductOfParts, ReadsAndWritesNoNeighbour) {
  Matrix<float> x = normals(20, 40, 6);
  x.rightCols(10).setConstant(NAN);
  const Matrix<float> b = normals(40, 90, 7);
  Matrix<float> y = Matrix<float>::Constant(20, 100, 7);
  product({x.data(), 20, 30, 40}, Factor::of({b.data(), 30, 60, 90}), {}, {y.data() + 10, 20, 60, 100});
  const Matrix<float> left = x.leftCols(30), top = b.topLeftCorner(30, 60), none = Matrix<float>::Zero(1, 60);
  EXPECT_LE(used(left, top, none, {y.data() + 10, 20, 60, 100}), 1);
  EXPECT_TRUE((y.leftCols(10).array() == 7).all() && (y.rightCols(30).array() == 7).all());
}

TEST(ProductOfParts, ReadsAndWritesNoNeighbourWhenTurned) {
  const Matrix<float> x = normals(20, 700, 6), b = normals(110, 700, 7);
  Matrix<float> y = Matrix<float>::Constant(20, 130, 7);
  product({x.data(), 20, 600, 700}, Factor::transposed({b.data() + 50, 100, 600, 700}), {},
          {y.data() + 10, 20, 100, 130});
  const Matrix<float> left = x.leftCols(600), right = b.block(0, 50, 100, 600).transpose(),
                      none = Matrix<float>::Zero(1, 100);
  EXPECT_LE(used(left, right, none, {y.data() + 10, 20, 100, 130}), 1);
  EXPECT_TRUE((y.leftCols(10).array() == 7).all() && (y.rightCols(20).array() == 7).all());
}

TEST(ProductOfNaN, StaysInItsRowAndItsColumn) {
  Matrix<float> x = normals(10, 20, 8), b = normals(20, 60, 9), y(10, 60);
  x(3, 4) = b(5, 50) = NAN;
  product(x, Factor::of(b), {}, y);
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < 60; ++j) EXPECT_EQ(std::isnan(y(i, j)), i == 3 || j == 50) << i << ", " << j;

  Matrix<float> few = normals(10, 600, 8), table = normals(60, 600, 9);
  few(3, 4) = table(50, 5) = NAN;
  product(few, Factor::transposed(table), {}, y);
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < 60; ++j) EXPECT_EQ(std::isnan(y(i, j)), i == 3 || j == 50) << i << ", " << j;
}

}  // namespace
}  // namespace orrery::simd::product_test
