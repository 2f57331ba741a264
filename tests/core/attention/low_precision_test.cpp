// What narrow formats do to scores, softmax and attention: the staged twins against known facts and PyTorch.
#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/attention.h"
#include "core/file/npy.h"
#include "tests/support/inputs.h"
#include "tests/support/source.h"

namespace orrery::attention::low_precision_test {
namespace {

using tensor::Format;
using tensor::Index;
using tensor::Matrix;
using tensor::Precision;

Matrix<double> softmax(const Matrix<double>& x, const Precision& precision, SoftmaxStages stages) {
  Matrix<double> y(x.rows(), x.cols());
  softmax_staged(x, {}, precision, stages, y);
  return y;
}

TEST(LowPrecision, ASumInBfloat16StopsAt256) {
  // 1 + 1 + … in eight bits: 256 + 1 = 256. So 512 equal logits get 1/256 each, and the row sums to 2.
  const Matrix<double> equal = Matrix<double>::Constant(1, 512, 3.0);
  EXPECT_EQ(softmax(equal, {Format::bf16, Format::f32}, SoftmaxStages::storage).sum(), 2);
  EXPECT_EQ(softmax(equal, {Format::bf16, Format::f32}, SoftmaxStages::accumulate).sum(), 1);
  // Eleven bits of fp16 reach 2048.
  const Matrix<double> more = Matrix<double>::Constant(1, 4096, 3.0);
  EXPECT_EQ(softmax(more, {Format::f16, Format::f32}, SoftmaxStages::storage).sum(), 2);
}

TEST(LowPrecision, ScoresOverflowFloat16WhereTheScaleComesAfterTheProduct) {
  // 64 · 40² = 102400 is beyond 65504, though the scaled score, 12800, is not. bf16 has the range.
  const Matrix<double> q = Matrix<double>::Constant(1, 64, 40), k = q;
  Matrix<double> s(1, 1);
  scores_staged(q, k, {}, {Format::f16, Format::f32}, s);
  EXPECT_EQ(s(0, 0), std::numeric_limits<double>::infinity());
  scores_staged(q, k, {}, {Format::bf16, Format::f32}, s);
  EXPECT_EQ(s(0, 0), 12800);
  // Scaled before, as some kernels do, it fits.
  const Matrix<double> scaled = q / 8;
  scores_staged(scaled, k, {.scale = 1}, {Format::f16, Format::f32}, s);
  EXPECT_EQ(s(0, 0), 12800);
}

TEST(LowPrecision, AbsoluteAndRelativeBiasesDifferInBfloat16) {
  // ALiBi as m·n and as −m(t − n) are equal under a softmax, until n is no longer a number of the format: between 512
  // and 1024 bf16 has every fourth number, so 1001 and 1002 are both 1000. Distances of 1 and 0 are exact.
  const Matrix<double> q = Matrix<double>::Zero(1, 4), k = Matrix<double>::Zero(2, 4);
  Matrix<double> absolute(1, 2), relative(1, 2), s(1, 2);
  absolute << 1001, 1002;
  relative << -1, 0;
  scores_staged(q, k, {}, {Format::bf16, Format::f32}, s, absolute);
  EXPECT_EQ(s(0, 1) - s(0, 0), 0);
  scores_staged(q, k, {}, {Format::bf16, Format::f32}, s, relative);
  EXPECT_EQ(s(0, 1) - s(0, 0), 1);
}

TEST(LowPrecision, InDoubleNothingIsRounded) {
  const Matrix<double> q = support::normal_floats(5, 8, 1), k = support::normal_floats(7, 8, 2),
                       v = support::normal_floats(7, 3, 3);
  const AttentionParams params{.scores = {.mask = {Mask::Kind::causal}, .cap = 2}, .softmax = {.sink = 0.5}};
  Matrix<double> reference(5, 3), staged(5, 3);
  attention_ref(q, k, v, params, reference);
  attention_staged(q, k, v, params, {Format::f64, Format::f64}, SoftmaxStages::storage, staged);
  EXPECT_LT((reference - staged).cwiseAbs().maxCoeff(), 1e-15);
}

Matrix<double> torch(const std::string& what) {
  return file::read_npy(orrery::support::source("tests/reference/torch/attention_narrow.bf16.") + what +
                        ".npy")
      .matrix();
}

/// The share of elements that are equal; all others are neighbours in bf16, for sums of another order may fall on the
/// other side of a tie.
double equal_share(const Matrix<double>& y, const Matrix<double>& torch) {
  Index equal = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const double a = y.data()[i], b = torch.data()[i];
    equal += a == b;
    EXPECT_LE(std::abs(a - b), 0x1p-7 * std::abs(b)) << i;  // one step of eight bits, at its largest
  }
  return static_cast<double>(equal) / static_cast<double>(y.size());
}

TEST(LowPrecision, EagerAttentionInBfloat16IsPyTorchs) {
  const Matrix<double> q = torch("q"), k = torch("k"), v = torch("v");
  const Precision precision{Format::bf16, Format::f32};
  Matrix<double> s(24, 24), p(24, 24), o(24, 16);
  scores_staged(q, k, {}, precision, s);
  attention_weights_staged(q, k, {}, precision, SoftmaxStages::accumulate, p);
  attention_staged(q, k, v, {}, precision, SoftmaxStages::accumulate, o);
  const double scores = equal_share(s, torch("scores")), weights = equal_share(p, torch("weights")),
               values = equal_share(o, torch("values"));
  std::printf("equal to PyTorch in bf16: scores %.4f, weights %.4f, values %.4f\n", scores, weights, values);
  // A float sum of 16 or 24 terms differs by about 2⁻²³ of it between orders, and is then on the other side of a bf16
  // tie, 2⁻⁸ wide, once in thousands.
  EXPECT_GE(scores, 0.99);
  EXPECT_GE(weights, 0.99);
  EXPECT_GE(values, 0.99);
}

}  // namespace
}  // namespace orrery::attention::low_precision_test
