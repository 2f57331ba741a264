// Where the rotary columns stand in a head: a part of it is turned as if it were alone, the rest is left as it is.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "core/position/rope.h"
#include "core/position/rope_staged.h"
#include "core/position/rope_vjp.h"
#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"

namespace orrery::position::rope_columns_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;

constexpr RopeLayout layouts[] = {RopeLayout::interleaved, RopeLayout::half};

RopeTable table_of(Index tokens, Index rotary_dim) {
  std::vector<double> positions(static_cast<std::size_t>(tokens));
  std::iota(positions.begin(), positions.end(), 7.0);
  return rope_table(positions, rope_default_frequencies(rotary_dim, 10000));
}

/// The columns first … first + R − 1 turned by themselves, where nothing has to be counted off.
Matrix<double> expected(const Matrix<double>& x, const RopeTable& table, RopeLayout layout, Index first) {
  const Index width = 2 * table.pairs();
  const Matrix<double> part = x.middleCols(first, width);
  Matrix<double> turned(part.rows(), width), y = x;
  rope_ref(part, table, layout, turned);
  y.middleCols(first, width) = turned;
  return y;
}

struct Case {
  Index rows, tokens, cols, rotary, first;
};
// DeepSeek's heads and MiniCPM 3's; a part in the middle; widths around those of vectors; the whole and nothing.
constexpr Case cases[] = {{6, 3, 192, 64, 128},  {4, 4, 96, 32, 64}, {10, 5, 50, 18, 7},
                          {130, 65, 49, 34, 15}, {8, 8, 64, 64, 0},  {300, 100, 48, 16, 32},
                          {3, 3, 5, 0, 4}};

TEST(RopeColumns, EveryTwinTurnsTheColumnsThatItIsTold) {
  for (const Case& c : cases) {
    for (const RopeLayout layout : layouts) {
      SCOPED_TRACE(std::to_string(c.cols) + " columns from " + std::to_string(c.first));
      const Matrix<double> x = support::normal_floats(c.rows, c.cols);
      const RopeTable table = table_of(c.tokens, c.rotary);
      const Matrix<double> right = expected(x, table, layout, c.first);
      Matrix<double> y(c.rows, c.cols);
      rope_ref(x, table, layout, y, c.first);
      EXPECT_EQ(y, right);
      GuardedMatrix<double> fast(c.rows, c.cols);
      rope_cpu<double>(x, table.cos, table.sin, layout, fast.view(), c.first);
      EXPECT_TRUE(fast.intact());
      EXPECT_EQ(Matrix<double>(fast.view().eigen()), right);
      const Matrix<float> in = x.cast<float>(), cos = table.cos.cast<float>(), sin = table.sin.cast<float>();
      GuardedMatrix<float> floats(c.rows, c.cols);
      rope_cpu<float>(in, cos, sin, layout, floats.view(), c.first);
      EXPECT_TRUE(floats.intact());
      // Table and products are rounded to 2⁻²⁴ of numbers up to 5.
      EXPECT_LE((floats.view().eigen().cast<double>() - right).cwiseAbs().maxCoeff(), 4 * 5 * 0x1p-24);
      const RopeFormats formats = rope_formats({tensor::Format::f64, tensor::Format::f64}, RopeStage::result);
      rope_staged(x, table, layout, formats, y, c.first);
      EXPECT_EQ(y, right);
    }
  }
}

TEST(RopeColumns, InPlaceToo) {
  const Matrix<double> x = support::normal_floats(6, 192);
  const RopeTable table = table_of(6, 64);
  for (const RopeLayout layout : layouts) {
    Matrix<double> y = x;
    rope_cpu<double>(y, table.cos, table.sin, layout, y, 128);
    EXPECT_EQ(y, expected(x, table, layout, 128));
  }
}

TEST(RopeColumns, TheDerivativeIsTheTranspose) {
  const Matrix<double> x = support::normal_floats(6, 40, 1), g = support::normal_floats(6, 40, 2);
  const RopeTable table = table_of(3, 24);
  for (const RopeLayout layout : layouts) {
    for (const Index first : {0, 5, 16}) {
      Matrix<double> dx(6, 40), y(6, 40);
      rope_vjp<double>(g, table.cos, table.sin, layout, dx, first);
      rope_ref(x, table, layout, y, first);
      EXPECT_NEAR(g.cwiseProduct(y).sum(), dx.cwiseProduct(x).sum(), 1e-13);  // 240 products of normals
      EXPECT_EQ(Matrix<double>(dx.leftCols(first)), Matrix<double>(g.leftCols(first)));
      EXPECT_EQ(Matrix<double>(dx.rightCols(16 - first)), Matrix<double>(g.rightCols(16 - first)));
      EXPECT_GT((dx.middleCols(first, 24) - g.middleCols(first, 24)).cwiseAbs().minCoeff(), 0);
    }
  }
}

TEST(RopeColumns, RefusesColumnsThatAreNotThere) {
  Matrix<double> x = support::normal_floats(3, 10);
  const RopeTable table = table_of(3, 8);
  for (const Index first : {-1, 3}) {
    EXPECT_THROW(rope_ref(x, table, RopeLayout::half, x, first), InvalidArgument);
    EXPECT_THROW(rope_cpu<double>(x, table.cos, table.sin, RopeLayout::half, x, first), InvalidArgument);
    EXPECT_THROW(rope_vjp<double>(x, table.cos, table.sin, RopeLayout::half, x, first), InvalidArgument);
  }
}

}  // namespace
}  // namespace orrery::position::rope_columns_test
