#include "core/embedding/embedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/embedding/embedding_vjp.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::embedding::embedding_test {
namespace {

using support::GuardedMatrix;
using tensor::Format;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

const std::vector<Index> ids{4, 0, 4, 2};

template <class T>
Matrix<T> looked_up(const Matrix<double>& table, Scale scale) {
  const Matrix<T> values = table.cast<T>();
  GuardedMatrix<T> y(std::ssize(ids), table.cols());
  embedding_cpu<T>(ids, values, scale, y.view());
  EXPECT_TRUE(y.intact());
  return y.view().eigen();
}

Matrix<double> reference(const Matrix<double>& table, Scale scale) {
  Matrix<double> y(std::ssize(ids), table.cols());
  embedding_ref(ids, table, scale, y);
  return y;
}

TEST(Embedding, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("embedding");
  for (const Index D : support::input_sizes())
    for (const auto& set : support::input_sets())
      for (const Scale scale : {Scale::none, Scale::sqrt_d}) {
        const Matrix<double> table = set.make(5, D), y = reference(table, scale);
        worst.expect(support::compare(View<const float>(looked_up<float>(table, scale)), y, embedding_bound),
                     std::string(set.name) + " × " + std::to_string(D));
        EXPECT_EQ(looked_up<double>(table, scale), y);
      }
}

TEST(Embedding, WithoutAScaleRowsAreCopiesBitByBit) {
  const Matrix<double> table = support::normal_floats(5, 33);
  const Matrix<double> y = looked_up<float>(table, Scale::none).cast<double>();
  for (std::size_t n = 0; n < ids.size(); ++n) EXPECT_EQ(y.row(static_cast<Index>(n)), table.row(ids[n]));
}

// What bf16 models multiply by, for published widths (Gemma's 3072, 2560, 3840 … among them): huggingface/transformers
// issue 29402.
TEST(Embedding, TheRootOfTheWidthIsRoundedToStorage) {
  const struct {
    Index D;
    double in_bf16, exact;
  } published[] = {{2560, 50.5, 50.5964},
                   {3072, 55.5, 55.4256},
                   {3584, 59.75, 59.8665},
                   {3840, 62, 61.9677},
                   {5376, 73.5, 73.3212}};
  for (const auto& [D, in_bf16, exact] : published) {
    EXPECT_NEAR(scale_factor(Scale::sqrt_d, D), exact, 5e-5);  // printed to four places
    const Matrix<double> ones = Matrix<double>::Ones(5, D);
    Matrix<double> y(std::ssize(ids), D);
    embedding_staged(ids, ones, Scale::sqrt_d, {Format::bf16, Format::f32}, y);
    EXPECT_EQ(y(0, 0), in_bf16);
    embedding_staged(ids, ones, Scale::sqrt_d, {Format::f64, Format::f64}, y);
    EXPECT_EQ(y(0, 0), scale_factor(Scale::sqrt_d, D));
  }
}

TEST(Embedding, WithoutAScaleTheStagedRowIsCopied) {
  Matrix<double> table = Matrix<double>::Constant(5, 3, 1 + 0x1p-20), y(std::ssize(ids), 3);
  embedding_staged(ids, table, Scale::none, {Format::f32, Format::f16}, y);
  EXPECT_EQ(y(0, 0), 1 + 0x1p-20);  // no product, so nothing is rounded to f16
}

TEST(Embedding, RowsReadTwiceAddTheirGradients) {
  const Matrix<double> g = support::normal_floats(std::ssize(ids), 3);
  Matrix<double> dtable(6, 3);
  embedding_vjp<double>(ids, g, Scale::sqrt_d, dtable);
  const double s = std::sqrt(3.0);
  EXPECT_EQ(dtable.row(4), s * (g.row(0) + g.row(2)));
  EXPECT_EQ(dtable.row(0), s * g.row(1));
  EXPECT_EQ(dtable.row(2), s * g.row(3));
  for (const Index unread : {1, 3, 5}) EXPECT_TRUE(dtable.row(unread).isZero(0));
}

}  // namespace
}  // namespace orrery::embedding::embedding_test
