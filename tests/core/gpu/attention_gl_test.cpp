// Scores and softmax on the graphics device against the reference.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/attention.h"
#include "core/attention/truncation.h"
#include "core/tensor/declined.h"
#include "tests/core/gpu/gl_test.h"
#include "tests/support/inputs.h"

namespace orrery::gpu::attention_gl_test {
namespace {

using attention::Mask;
using attention::ScoresParams;
using attention::SoftmaxParams;
using tensor::Index;

using AttentionGlTest = GlTest;

constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_softmax(Device& device, Worst& worst, const tensor::Matrix<double>& x,
                    const SoftmaxParams& params, const std::string& what) {
  const tensor::Matrix<float> x_floats = x.cast<float>();
  tensor::Matrix<double> reference(x.rows(), x.cols());
  attention::softmax_ref(x, params, reference);
  support::GuardedMatrix<float> y(x.rows(), x.cols());
  attention::softmax_gpu(device, x_floats, params, y.view());
  worst.expect(y, y.view(), reference, attention::softmax_gpu_bound, what);
}

TEST_F(AttentionGlTest, SoftmaxOnEveryInput) {
  Worst worst("softmax");
  for (const support::InputSet& set : support::input_sets())
    for (Index rows : row_counts)
      for (Index cols : widths)
        expect_softmax(*device, worst, set.make(rows, cols), {}, case_name(set.name, rows, cols));
}

template <class Rule>
void expect_truncation(Device& device, Worst& worst, const tensor::Matrix<double>& x, const Rule& rule,
                       const std::string& what) {
  const tensor::Matrix<float> x_floats = x.cast<float>();
  tensor::Matrix<double> reference(x.rows(), x.cols());
  attention::truncate_ref(x, rule, reference);
  support::GuardedMatrix<float> y(x.rows(), x.cols());
  attention::truncate_gpu(device, x_floats, rule, y.view());
  worst.expect(y, y.view(), reference, attention::truncation_bound, what);
}

// Rows longer than the shared memory of a group too.
TEST_F(AttentionGlTest, TruncationCutsWhatTheReferenceCuts) {
  Worst worst("truncation");
  for (const auto& [rows, cols] : {std::pair<Index, Index>{3, 40}, {1, 1}, {1, 5000}, {9, 2}}) {
    const tensor::Matrix<double> x = 4 * support::normal_floats(rows, cols);  // floats still
    const std::string name = case_name("normal", rows, cols);
    for (const Index k : {Index{1}, Index{7}, cols})
      expect_truncation(*device, worst, x, attention::TopK{k}, name);
    for (const double p : {1e-9, 0.3, 0.95, 0.9999, 1.0})
      expect_truncation(*device, worst, x, attention::TopP{p, p < 0.9 ? 2.0 : 1.0}, name);
    for (const double p : {1e-9, 0.05, 1.0})
      expect_truncation(*device, worst, x, attention::MinP{p, 0.7}, name);
  }
  // Equal ones, and sums that meet p: by index, and as many as in double.
  const tensor::Matrix<double> equal = tensor::Matrix<double>::Constant(2, 1000, -1.25);
  for (const Index k : {1, 300, 999}) expect_truncation(*device, worst, equal, attention::TopK{k}, "equal");
  for (const double p : {0.1, 0.25, 0.9, 0.999})
    expect_truncation(*device, worst, equal, attention::TopP{p}, "equal");
}

// Wide logits reach the whole range of exp, and past its end.
TEST_F(AttentionGlTest, SoftmaxOfWideLogitsAndTemperatures) {
  Worst worst("softmax");
  for (double spread : {1.0, 10.0, 30.0, 100.0})
    for (double temperature : {0.25, 0.7, 1.0, 3.0}) {
      const tensor::Matrix<double> x =
          (spread * support::normal_floats(8, 1000)).unaryExpr([](double v) { return double(float(v)); });
      expect_softmax(*device, worst, x, {.temperature = temperature},
                     "spread " + std::to_string(spread) + " temperature " + std::to_string(temperature));
    }
}

// What a mask hides is not read: it is NaN here, in one row of each shape what is seen is, too.
TEST_F(AttentionGlTest, SoftmaxUnderMasks) {
  Worst worst("softmax");
  for (const Mask& mask : {Mask{.kind = Mask::Kind::causal}, Mask{.kind = Mask::Kind::sliding, .window = 5},
                           Mask{.kind = Mask::Kind::prefix, .prefix = 7}})
    for (const auto& [rows, cols] :
         {std::pair<Index, Index>{1, 40}, {9, 33}, {60, 60}, {7, 5000}, {40, 30}}) {
      tensor::Matrix<double> x = support::normal_floats(rows, cols);
      for (Index t = 0; t < rows; ++t)
        for (Index n = 0; n < cols; ++n)
          if (!mask.allows(t, n, rows, cols)) x(t, n) = std::nan("");
      if (rows == 60) x(40, 40) = std::nan("");
      expect_softmax(*device, worst, x, {.mask = mask}, std::to_string(rows) + " × " + std::to_string(cols));
    }
}

TEST_F(AttentionGlTest, SoftmaxOfMaskedAndBrokenRows) {
  Worst worst("softmax");
  for (Index cols : {1, 33, 300, 5000}) {
    tensor::Matrix<double> x = support::normal_floats(7, cols);
    x.row(0).setConstant(-infinity);  // fully masked: zeros
    x.row(1).head((cols + 1) / 2).setConstant(-infinity);
    x(2, cols - 1) = std::nan("");
    x(3, 0) = -std::nan("");
    x(4, cols / 2) = infinity;
    x.row(5).setConstant(-infinity);
    x(5, cols - 1) = std::nan("");
    expect_softmax(*device, worst, x, {}, std::to_string(cols) + " columns");
  }
}

TEST_F(AttentionGlTest, SoftmaxRefusesATemperatureThatIsNotPositive) {
  tensor::Matrix<float> x(1, 1);
  EXPECT_THROW(attention::softmax_gpu(*device, x, {.temperature = 0}, x), InvalidArgument);
}

/// The bound of the contract: relative to scale·Σ|q_j k_j|, which is the score of the absolute values.
void expect_scores(Device& device, double& worst, const tensor::Matrix<double>& q,
                   const tensor::Matrix<double>& k, const ScoresParams& params, const std::string& what) {
  const tensor::Matrix<float> q_floats = q.cast<float>(), k_floats = k.cast<float>();
  tensor::Matrix<double> reference(q.rows(), k.rows()), magnitude(q.rows(), k.rows());
  attention::scores_ref(q, k, params, reference);
  const tensor::Matrix<double> q_abs = q.cwiseAbs(), k_abs = k.cwiseAbs();
  ScoresParams uncapped = params;
  uncapped.cap.reset();
  attention::scores_ref(q_abs, k_abs, uncapped, magnitude);
  support::GuardedMatrix<float> s(q.rows(), k.rows());
  attention::scores_gpu(device, q_floats, k_floats, params, s.view());
  EXPECT_TRUE(s.intact()) << what << ": written outside of s";
  const double bound = attention::scores_gpu_bound(q.cols());
  for (Index t = 0; t < q.rows(); ++t)
    for (Index n = 0; n < k.rows(); ++n) {
      const double y = s.view()(t, n), r = reference(t, n);
      if (!std::isfinite(r)) {
        ASSERT_TRUE(y == r || (std::isnan(y) && std::isnan(r)))
            << what << " [" << t << ", " << n << "]: " << y;
        continue;
      }
      const double used = std::abs(y - r) / (bound * std::abs(magnitude(t, n)) + 0x1p-126);
      ASSERT_LE(used, 1) << what << " [" << t << ", " << n << "]: " << y << ", not " << r;
      worst = std::max(worst, used);
    }
}

TEST_F(AttentionGlTest, ScoresOfEveryShapeAndMask) {
  double worst = 0;
  const Mask masks[] = {{}, {Mask::Kind::causal}, {Mask::Kind::sliding, 1}, {Mask::Kind::sliding, 20}};
  for (const auto& [queries, keys] : {std::pair<Index, Index>{1, 1}, {1, 257}, {64, 64}, {31, 33}, {65, 127}})
    for (Index width : {1, 2, 31, 32, 33, 256, 1000})
      for (const Mask& mask : masks)
        expect_scores(*device, worst, support::normal_floats(queries, width, 1),
                      support::normal_floats(keys, width, 2), {.scale = {}, .mask = mask},
                      std::to_string(queries) + "×" + std::to_string(keys) + "×" + std::to_string(width) +
                          " mask " + std::to_string(static_cast<int>(mask.kind)));
  std::printf("    scores, worst: %.0f %% of the bound\n", 100 * worst);
}

TEST_F(AttentionGlTest, ScoresOfUnusualValues) {
  double worst = 0;
  tensor::Matrix<double> q = support::normal_floats(20, 40, 1), k = support::normal_floats(20, 40, 2);
  expect_scores(*device, worst, q, k, {.scale = -3.5, .mask = {}}, "negative scale");
  expect_scores(*device, worst, q.leftCols(0), k.leftCols(0), {.scale = {}, .mask = {Mask::Kind::causal}},
                "no width");
  q(3, 17) = std::nan("");
  k(7, 39) = std::nan("");
  expect_scores(*device, worst, q, k, {}, "NaN");
  expect_scores(*device, worst, q, k, {.scale = {}, .mask = {Mask::Kind::causal}}, "NaN behind a mask");
  EXPECT_THROW(
      expect_scores(*device, worst, q, k, {.scale = {}, .mask = {Mask::Kind::sliding, 0}}, "no window"),
      InvalidArgument);
}

// The bound is relative to the sum of magnitudes, which a cap only lessens; a small cap shows the whole range of tanh.
TEST_F(AttentionGlTest, ScoresWithCapPrefixPaddingAndLogN) {
  double worst = 0;
  const tensor::Matrix<double> q = support::normal_floats(33, 40, 1), k = support::normal_floats(65, 40, 2);
  std::vector<std::uint8_t> padding(65, 1);
  padding[0] = padding[40] = 0;
  for (const double cap : {0.01, 0.5, 50.0})
    for (const double scale : {1e-3, 0.1, 30.0})
      expect_scores(*device, worst, q, k, {.scale = scale, .cap = cap}, "cap " + std::to_string(cap));
  for (const Index prefix : {0, 1, 20, 1000})
    expect_scores(*device, worst, q, k, {.mask = {.kind = Mask::Kind::prefix, .prefix = prefix}}, "prefix");
  expect_scores(*device, worst, q, k, {.padding = padding}, "padding");
  expect_scores(*device, worst, q, k, {.mask = {Mask::Kind::causal}, .log_n = attention::LogN{.trained = 16}},
                "log n");
  std::printf("    scores, worst: %.0f %% of the bound\n", 100 * worst);
}

TEST_F(AttentionGlTest, SoftmaxWithASink) {
  Worst worst("softmax");
  tensor::Matrix<double> x = support::normal_floats(5, 300);
  x.row(1).setConstant(-infinity);
  x(2, 7) = infinity;
  x(3, 8) = std::nan("");
  for (const double sink : {-100.0, 0.0, 1.5, 60.0})
    expect_softmax(*device, worst, x, {.temperature = 0.7, .sink = sink}, "sink " + std::to_string(sink));
}

/// Attention on the device within its bound of the reference.
void expect_attention(Device& device, Worst& worst, const tensor::Matrix<double>& q,
                      const tensor::Matrix<double>& k, const tensor::Matrix<double>& v,
                      const attention::AttentionParams& params, const std::string& what) {
  const tensor::Matrix<float> q_floats = q.cast<float>(), k_floats = k.cast<float>(),
                              v_floats = v.cast<float>();
  tensor::Matrix<double> reference(q.rows(), v.cols());
  attention::attention_ref(q, k, v, params, reference);
  support::GuardedMatrix<float> o(q.rows(), v.cols());
  attention::attention_gpu(device, q_floats, k_floats, v_floats, params, o.view());
  const double logit = attention::largest_logit<double>(q, k, params) +
                       std::abs(params.softmax.sink.value_or(0)) / params.softmax.temperature;
  double value = 0;
  for (const double x : v.reshaped())
    if (std::isfinite(x)) value = std::max(value, std::abs(x));
  worst.expect(o, o.view(), reference, attention::attention_gpu_bound(logit, q.cols(), k.rows(), value),
               what);
}

TEST_F(AttentionGlTest, AttentionOfEveryShapeAndMask) {
  Worst worst("attention");
  const Mask masks[] = {
      {}, {Mask::Kind::causal}, {Mask::Kind::sliding, 5}, {.kind = Mask::Kind::prefix, .prefix = 3}};
  for (const auto& [queries, keys] : {std::pair<Index, Index>{1, 1}, {1, 257}, {31, 33}, {65, 127}})
    for (const auto& [d, e] : {std::pair<Index, Index>{1, 1}, {32, 33}, {64, 16}})
      for (const Mask& mask : masks) {
        attention::AttentionParams params;
        params.scores.mask = mask;
        expect_attention(*device, worst, support::normal_floats(queries, d, 1),
                         support::normal_floats(keys, d, 2), support::normal_floats(keys, e, 3), params,
                         case_name("mask " + std::to_string(static_cast<int>(mask.kind)), queries, keys));
      }
}

TEST_F(AttentionGlTest, AttentionWithCapSinkPaddingAndTemperature) {
  Worst worst("attention");
  const tensor::Matrix<double> q = support::normal_floats(20, 24, 1), k = support::normal_floats(40, 24, 2),
                               v = support::normal_floats(40, 24, 3);
  std::vector<std::uint8_t> padding(40, 1);
  padding[0] = padding[39] = 0;
  attention::AttentionParams params;
  params.scores = {.cap = 2.0, .log_n = attention::LogN{.trained = 16}, .padding = padding};
  params.softmax = {.temperature = 0.5, .sink = 1.0};
  expect_attention(*device, worst, q, k, v, params, "all of them");
}

// A value that is hidden may hold anything; one that is seen makes its column NaN, even under a weight of 0.
TEST_F(AttentionGlTest, HiddenValuesAreNotRead) {
  Worst worst("attention");
  tensor::Matrix<double> q = 30 * support::normal_floats(4, 8, 1), k = support::normal_floats(4, 8, 2),
                         v = support::normal_floats(4, 8, 3);
  v(3, 2) = std::nan("");
  v(2, 5) = infinity;
  attention::AttentionParams params;
  params.scores.mask = {Mask::Kind::causal};
  params.scores.scale = 1;
  expect_attention(*device, worst, q, k, v, params, "NaN behind a mask");
  params.scores.mask = {};
  tensor::Matrix<float> o(4, 8);
  attention::attention_gpu(*device, q.cast<float>().eval(), k.cast<float>().eval(), v.cast<float>().eval(),
                           params, o);
  EXPECT_TRUE(o.col(2).array().isNaN().all());
  EXPECT_TRUE(o.col(3).array().isFinite().all());
}

TEST_F(AttentionGlTest, LogitsBeyondFloatAreDeclinedAloud) {
  const tensor::Matrix<float> huge = tensor::Matrix<float>::Constant(2, 4, 1e30F);
  tensor::Matrix<float> o(2, 4);
  try {
    attention::attention_gpu(*device, huge, huge, huge, {}, o);
    FAIL();
  } catch (const Declined& e) {
    EXPECT_STREQ(e.what(),
                 "gpu: found logits up to 4.0e+60; allowed: up to 1e+38 here, or any with ref and cpu");
  }
}

// 4096 numbers of a row lie in shared memory; y has no room for more of them.
TEST_F(AttentionGlTest, LogSumsOfRowsOfAnyLength) {
  for (const Index cols : {4096, 4097, 5000}) {
    const tensor::Matrix<double> x = support::normal_floats(3, cols);
    for (const SoftmaxParams& params :
         {SoftmaxParams{}, SoftmaxParams{.temperature = 0.7, .sink = 1.0, .mask = {Mask::Kind::causal}}}) {
      tensor::Matrix<double> reference(3, 1);
      attention::softmax_lse_ref(x, params, reference);
      support::GuardedMatrix<float> lse(3, 1);
      attention::softmax_lse_gpu(*device, x.cast<float>().eval(), params, lse.view());
      EXPECT_TRUE(lse.intact()) << cols;
      const double bound =
          attention::softmax_lse_gpu_bound(cols, x.cwiseAbs().maxCoeff() / params.temperature).abs;
      for (Index t = 0; t < 3; ++t) EXPECT_NEAR(lse.view()(t, 0), reference(t, 0), bound) << cols;
    }
  }
}

TEST_F(AttentionGlTest, WithoutKeysAttentionGivesZeros) {
  const tensor::Matrix<float> q = tensor::Matrix<float>::Ones(2, 4), none(0, 4);
  tensor::Matrix<float> o = tensor::Matrix<float>::Ones(2, 4);
  attention::attention_gpu(*device, q, none, none, {}, o);
  EXPECT_EQ(o, (tensor::Matrix<float>::Zero(2, 4)));
}

TEST_F(AttentionGlTest, EmptyIsLeftAlone) {
  tensor::Matrix<float> none(0, 5), keys(3, 5), y(0, 3);
  EXPECT_NO_THROW(attention::scores_gpu(*device, none, keys, {}, y));
  EXPECT_NO_THROW(attention::softmax_gpu(*device, none, {}, none));
}

}  // namespace
}  // namespace orrery::gpu::attention_gl_test
