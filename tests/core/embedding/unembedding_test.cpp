#include "core/embedding/unembedding.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/embedding/embedding.h"
#include "core/embedding/unembedding_vjp.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::embedding::unembedding_test {
namespace {

using support::GuardedMatrix;
using tensor::Format;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

template <class T>
Matrix<T> logits(const Matrix<double>& x, const Matrix<double>& table) {
  const Matrix<T> tokens = x.cast<T>(), words = table.cast<T>();
  GuardedMatrix<T> y(x.rows(), table.rows());
  unembedding_cpu<T>(tokens, words, y.view());
  EXPECT_TRUE(y.intact());
  return y.view().eigen();
}

Matrix<double> reference(const Matrix<double>& x, const Matrix<double>& table) {
  Matrix<double> y(x.rows(), table.rows());
  unembedding_ref(x, table, y);
  return y;
}

/// The float twin against the reference, by the sum of magnitudes.
support::Comparison compared(const Matrix<double>& x, const Matrix<double>& table) {
  const Matrix<double> y = logits<float>(x, table).cast<double>();
  const Matrix<double> magnitude = reference(x.cwiseAbs(), table.cwiseAbs());
  return support::compare_by_magnitude(y, reference(x, table), magnitude,
                                       {.abs = 0x1p-126, .rel = unembedding_bound(x.cols())});
}

TEST(Unembedding, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("unembedding");
  for (const Index D : support::input_sizes())
    for (const auto& set : support::input_sets()) {
      const Matrix<double> x = set.make(3, D), table = set.make(9, D);
      worst.expect(compared(x, table), std::string(set.name) + " × " + std::to_string(D));
    }
}

TEST(Unembedding, VocabulariesOverSeveralBlocks) {
  const Matrix<double> x = support::normal_floats(2, 40), table = support::normal_floats(1000, 40, 1);
  EXPECT_TRUE(support::within(compared(x, table)));
}

// Orthonormal words: the logits of an embedded id are 1 at the id, and 0 elsewhere.
TEST(Unembedding, UndoesAnOrthonormalEmbedding) {
  const Index V = 12;
  const Matrix<double> table =
      Eigen::HouseholderQR<Matrix<double>>(support::normal_floats(V, V)).householderQ() *
      Matrix<double>::Identity(V, V);
  const std::vector<Index> ids{7, 3, 11};
  Matrix<double> x(3, V);
  embedding_ref(ids, table, Scale::none, x);
  const Matrix<double> y = logits<double>(x, table);
  for (Index n = 0; n < 3; ++n)
    for (Index v = 0; v < V; ++v)  // a sum of 12 products of numbers below 1, some roundings of 1.1e-16 each
      EXPECT_NEAR(y(n, v), v == ids[static_cast<std::size_t>(n)] ? 1 : 0, 2e-15);
}

TEST(Unembedding, NanStaysInItsRowAndColumn) {
  Matrix<double> x = support::normal_floats(4, 8), table = support::normal_floats(5, 8, 1);
  x(1, 3) = table(2, 0) = std::numeric_limits<double>::quiet_NaN();
  for (const Matrix<double>& y :
       {reference(x, table), Matrix<double>(logits<float>(x, table).cast<double>())})
    for (Index n = 0; n < 4; ++n)
      for (Index v = 0; v < 5; ++v) EXPECT_EQ(std::isnan(y(n, v)), n == 1 || v == 2);
}

TEST(Unembedding, EmptyAxes) {
  EXPECT_EQ(logits<float>(Matrix<double>(0, 4), Matrix<double>::Ones(3, 4)).size(), 0);
  EXPECT_EQ(logits<float>(Matrix<double>::Ones(3, 4), Matrix<double>(0, 4)).size(), 0);
  EXPECT_EQ(logits<float>(Matrix<double>(2, 0), Matrix<double>(3, 0)), (Matrix<float>::Zero(2, 3)));
}

TEST(Unembedding, StagedSumsStallWhereTheFormatEnds) {
  // Adding ones in bf16, with 8 bits, stalls at 256: the next number is 258, and 257 is a tie that goes to the even one.
  const Matrix<double> ones = Matrix<double>::Ones(1, 300);
  Matrix<double> y(1, 1);
  unembedding_staged(ones, ones, {Format::bf16, Format::bf16}, y);
  EXPECT_EQ(y(0, 0), 256);
  unembedding_staged(ones, ones, {Format::bf16, Format::f32}, y);
  EXPECT_EQ(y(0, 0), 300);
  const Matrix<double> x = support::normal_floats(2, 16), table = support::normal_floats(3, 16, 1);
  Matrix<double> exact(2, 3);
  unembedding_staged(x, table, {Format::f64, Format::f64}, exact);
  EXPECT_EQ(exact, reference(x, table));
}

}  // namespace
}  // namespace orrery::embedding::unembedding_test
