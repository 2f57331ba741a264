#include "core/attention/softmax.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/targets.h"
#include "tests/support/within.h"

namespace orrery::attention::softmax_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix<double> reference(const Matrix<double>& x, double temperature = 1) {
  Matrix<double> y(x.rows(), x.cols());
  softmax_ref(x, {temperature}, y);
  return y;
}

template <class T>
Matrix<T> twin(const Matrix<double>& x, double temperature = 1) {
  const Matrix<T> in = x.cast<T>();
  GuardedMatrix<T> out(x.rows(), x.cols());
  softmax_cpu<T>(in, {temperature}, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

Matrix<double> row(std::initializer_list<double> values) {
  Matrix<double> m(1, Index(values.size()));
  std::copy(values.begin(), values.end(), m.data());
  return m;
}

TEST(Softmax, ClosedForms) {
  // Two logits: the logistic function of their difference; equal logits: 1/S.
  const Matrix<double> two = reference(row({0, std::log(3)}));
  EXPECT_NEAR(two(0, 0), 0.25, 1e-16);
  EXPECT_NEAR(two(0, 1), 0.75, 2e-16);
  EXPECT_EQ(reference(Matrix<double>::Constant(1, 8, -3.7)), Matrix<double>::Constant(1, 8, 0.125));
  // Logits −0, −s, −2s, …: geometric weights (1 − q) qⁿ, q = e^−s: what ALiBi gives where content says
  // nothing.
  Matrix<double> slope(1, 2000);
  for (Index n = 0; n < 2000; ++n) slope(0, n) = -0.0625 * double(n);
  const Matrix<double> weights = reference(slope);
  const double q = std::exp(-0.0625);
  for (Index n : {0, 1, 10, 1999})
    EXPECT_TRUE(support::close(weights(0, n), (1 - q) * std::pow(q, n), 1e-13));
  // Their mean distance, 1/(e^s − 1), is the published 15.5 of the fourth of eight heads.
  double mean = 0;
  for (Index n = 0; n < 2000; ++n) mean += weights(0, n) * double(n);
  EXPECT_NEAR(mean, 15.505, 1e-3);
}

TEST(Softmax, TemperatureDividesTheLogits) {
  const Matrix<double> x = support::normal_floats(3, 100);
  EXPECT_LT((reference(x, 0.5) - reference(2 * x)).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_EQ(twin<float>(x, 0.5), twin<float>(2 * x));
  // Very hot is uniform, very cold is the largest alone.
  EXPECT_NEAR(reference(x, 1e9)(0, 0), 0.01, 1e-10);
  EXPECT_NEAR(reference(x, 1e-6).maxCoeff(), 1, 1e-15);
}

TEST(Softmax, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("softmax"), worst_double("softmax in double");
  for (Index S : support::input_sizes()) {
    for (const auto& set : support::input_sets()) {
      const Matrix<double> x = set.make(3, S);
      for (double temperature : {1.0, 0.05}) {
        const std::string where = std::string(set.name) + " × " + std::to_string(S);
        const Matrix<double> r = reference(x, temperature);
        worst.expect(support::compare(View<const float>(twin<float>(x, temperature)), r, softmax_bound(S)),
                     where);
        // The sum in another order: S positive terms, S · 2⁻⁵³ at worst, and a few operations more.
        const double loss = double(S + 8) * 0x1p-53;
        worst_double.expect(
            support::compare(View<const double>(twin<double>(x, temperature)), r,
                             {.abs = 0x1p-1074, .rel = loss, .nmse = loss * loss}, tensor::Format::f64),
            where);
      }
    }
  }
}

TEST(Softmax, RowsSumToOne) {
  for (const auto& set : support::input_sets()) {
    const Matrix<double> y = twin<float>(set.make(4, 1000)).cast<double>();
    // Every weight was rounded once, by at most 2⁻²⁴ of itself.
    for (Index i = 0; i < y.rows(); ++i) EXPECT_NEAR(y.row(i).sum(), 1, 0x1p-24) << set.name;
    EXPECT_GE(y.minCoeff(), 0);
  }
}

TEST(Softmax, ForgetsAShift) {
  // A power of two, and logits of few bits: x + c is exact, so is (x + c) − m, and nothing may change at all.
  Matrix<double> x = (support::normal_floats(4, 257) * 64).array().round() / 64;
  EXPECT_EQ(reference(x), reference(x.array() + 1024));
  EXPECT_EQ(twin<float>(x), twin<float>(x.array() - 1024));
}

// One key far above the others, which share one logit: what their exponents lose has one sign, and adds up in the sum.
TEST(Softmax, ManyKeysOfOneLogitAreWithinTheBound) {
  support::Worst worst("softmax of hard rows");
  for (const Index S : {16, 256, 4096, 65536}) {
    for (int k = 0; k < 200; ++k) {
      Matrix<double> x = Matrix<double>::Constant(1, S, static_cast<float>(0.37 + 0.013 * k));
      x(0, k % S) += static_cast<float>(0.3 + 0.06 * k);
      x = x.cast<float>().cast<double>();
      // Found by search.
      if (k == 0) x << 5.969983100891113, Matrix<double>::Zero(1, S - 1);
      if (k == 1) x << 9.94934368133545, Matrix<double>::Zero(1, S - 1);
      for (const double temperature : {1.0, 0.7})
        worst.expect(support::compare(View<const float>(twin<float>(x, temperature)),
                                      reference(x, temperature), softmax_bound(S)),
                     std::to_string(S) + " keys, " + std::to_string(k));
    }
  }
}

TEST(Softmax, LogitsFarApartNeitherOverflowNorVanish) {
  const Matrix<double> x = row({700, 710, 0, -1e30});
  for (const Matrix<double>& y : {reference(x), Matrix<double>(twin<float>(x).cast<double>())}) {
    // 1/(1 + e¹⁰); an exponent of 10, rounded three times, and what else the contract names.
    EXPECT_TRUE(support::close(y(0, 0), 4.5397868702434395e-5, 3 * 10 * 0x1p-24 + softmax_bound(2).rel));
    EXPECT_EQ(y(0, 3), 0);
  }
  // e^−100 is subnormal in float, and kept: 3.72e-44 to the last step of 1.4e-45.
  EXPECT_NEAR(twin<float>(row({0, -100}))(0, 1), 3.720075976020836e-44, 0x1p-150);
}

TEST(Softmax, FullyMaskedRowsAreZeros) {
  Matrix<double> x = support::normal_floats(3, 33);
  x.row(1).setConstant(-infinity);
  x(2, 5) = -infinity;
  for (const Matrix<double>& y : {reference(x), Matrix<double>(twin<float>(x).cast<double>())}) {
    EXPECT_EQ(y.row(1), Matrix<double>::Zero(1, 33).row(0));
    EXPECT_EQ(y(2, 5), 0);
    EXPECT_NEAR(y.row(2).sum(), 1, 0x1p-24);
  }
}

TEST(Softmax, NanAndPlusInfinityMakeTheirRowNan) {
  Matrix<double> x = support::normal_floats(6, 33);
  x(1, 7) = nan;
  x(3, 0) = infinity;
  x.row(4).setConstant(-infinity);
  x(4, 32) = nan;  // masked but for a NaN: still NaN
  for (const Matrix<double>& y : {reference(x), Matrix<double>(twin<float>(x).cast<double>())})
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 33; ++j)
        EXPECT_EQ(std::isnan(y(i, j)), i == 1 || i == 3 || i == 4) << i << " " << j;
}

// A NaN may carry any bits; none of them turns into a number on the way through the exponential.
TEST(Softmax, EveryNanIsOne) {
  for (const std::uint32_t bits :
       {0x7fc00000u, 0x7fc00001u, 0x7f800001u, 0x7fffffffu, 0xffc00001u, 0xffffffffu, 0x7fc00080u}) {
    for (const Index cols : {3, 33, 700}) {
      Matrix<float> x = support::normal_floats(9, cols).cast<float>();
      x(4, cols / 2) = std::bit_cast<float>(bits);
      Matrix<float> y(9, cols);
      softmax_cpu<float>(x, {}, y);
      for (Index i = 0; i < 9; ++i)
        EXPECT_EQ(y.row(i).array().isNaN().count(), i == 4 ? cols : 0) << std::hex << bits << " row " << i;
    }
  }
}

const std::vector<Mask>& masks() {
  static const std::vector<Mask> all{{.kind = Mask::Kind::causal},
                                     {.kind = Mask::Kind::sliding, .window = 5},
                                     {.kind = Mask::Kind::sliding, .window = 70},
                                     {.kind = Mask::Kind::prefix, .prefix = 7}};
  return all;
}

// As −∞ in what is hidden, but that is not read: it may be NaN. Fewer queries than keys (a cache), as many, and more:
// then the first see nothing.
TEST(Softmax, AMaskHidesAsMinusInfinityDoes) {
  support::Worst worst("masked softmax");
  for (const Mask& mask : masks()) {
    for (const auto& [N, S] : {std::pair<Index, Index>{1, 40}, {9, 33}, {100, 100}, {50, 257}, {40, 30}}) {
      Matrix<double> hidden = support::normal_floats(N, S), unread = hidden;
      for (Index t = 0; t < N; ++t)
        for (Index n = 0; n < S; ++n)
          if (!mask.allows(t, n, N, S)) hidden(t, n) = -infinity, unread(t, n) = nan;
      for (const std::optional<double> sink : {std::optional<double>(), std::optional<double>(0.5)}) {
        const SoftmaxParams plain{.temperature = 0.7, .sink = sink},
            masked{.temperature = 0.7, .sink = sink, .mask = mask};
        Matrix<double> expected(N, S), ref(N, S), in_double(N, S), staged(N, S);
        softmax_ref(hidden, plain, expected);
        softmax_ref(unread, masked, ref);
        EXPECT_EQ(ref, expected);
        softmax_cpu<double>(unread, masked, in_double);
        EXPECT_LT((in_double - expected).cwiseAbs().maxCoeff(), 4e-16);
        softmax_staged(unread, masked, {tensor::Format::f64, tensor::Format::f64}, SoftmaxStages::accumulate,
                       staged);
        EXPECT_EQ(staged, expected);
        GuardedMatrix<float> y(N, S);
        const Matrix<float> in = unread.cast<float>();
        softmax_cpu<float>(in, masked, y.view());
        EXPECT_TRUE(y.intact());
        const View<float> result = y.view();
        worst.expect(support::compare(View<const float>(result), expected, softmax_bound(S)),
                     std::to_string(N) + " × " + std::to_string(S));
      }
    }
  }
}

// Rows go through the kernel together, and which ones follow each other depends on the threads. Short rows, long ones, and
// 9 MB, which are written past the caches.
TEST(Softmax, ARowHasTheSameBitsWhateverStandsBesideIt) {
  for (const Index N : {90, 700, 1500}) {
    const Matrix<float> x = (3 * support::normal_floats(N, N)).cast<float>();
    support::on_every_target([&](const std::string& target) {
      Matrix<float> together(N, N);
      softmax_cpu<float>(x, {.mask = {.kind = Mask::Kind::causal}}, together);
      for (Index t = 0; t < N; ++t) {
        Matrix<float> alone(1, t + 1);
        softmax_cpu<float>(View<const float>(x.row(t).data(), 1, t + 1), {}, alone);
        ASSERT_TRUE(together.row(t).head(t + 1) == alone.row(0)) << target << ", row " << t << " of " << N;
      }
    });
  }
}

// What is hidden is 0 even where what is seen is NaN.
TEST(Softmax, AMaskKeepsItsZerosInARowOfNan) {
  Matrix<double> x = support::normal_floats(40, 40);
  x(20, 3) = nan;
  const SoftmaxParams causal{.mask = {.kind = Mask::Kind::causal}};
  Matrix<double> ref(40, 40);
  softmax_ref(x, causal, ref);
  const Matrix<float> in = x.cast<float>();
  Matrix<float> y(40, 40);
  softmax_cpu<float>(in, causal, y);
  for (const Matrix<double>& m : {ref, Matrix<double>(y.cast<double>())})
    for (Index t = 0; t < 40; ++t)
      for (Index n = 0; n < 40; ++n) {
        EXPECT_EQ(std::isnan(m(t, n)), t == 20 && n <= t) << t << " " << n;
        EXPECT_TRUE(n <= t || m(t, n) == 0);
      }
}

TEST(Softmax, RefusesMasksThatHideAll) {
  Matrix<double> x = Matrix<double>::Zero(2, 2);
  EXPECT_THROW(softmax_ref(x, {.mask = {.kind = Mask::Kind::sliding, .window = 0}}, x), InvalidArgument);
  EXPECT_THROW(softmax_cpu<double>(x, {.mask = {.kind = Mask::Kind::prefix, .prefix = -1}}, x),
               InvalidArgument);
}

TEST(Softmax, EntropyOfGaussianLogits) {
  // A published Monte-Carlo mean over 2000 rows: n = 512, σ = 1. Entropies spread by about 0.04 from row to
  // row.
  const double expected = support::reference_values()
                              .at("attention")
                              .at("gaussian_logit_entropy_mc_2000_trials")
                              .at("n512_sigma1")
                              .at("mc_mean_entropy");
  const Matrix<double> p = reference(support::normal_floats(400, 512));
  EXPECT_NEAR(-(p.array() * p.array().log()).sum() / 400, expected, 3 * 0.04 / 20);
}

TEST(Softmax, TemperaturesThatMeanNothingAreRefused) {
  for (double t : {0.0, -1.0, nan}) {
    EXPECT_THROW(reference(row({1, 2}), t), InvalidArgument);
    EXPECT_THROW(twin<float>(row({1, 2}), t), InvalidArgument);
  }
  try {
    reference(row({1}), 0);
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "softmax temperature: found 0.000000, allowed: above 0");
  }
}

TEST(Softmax, EmptyInPlaceAndOnManyThreads) {
  EXPECT_EQ(twin<float>(Matrix<double>(0, 8)).size(), 0);
  EXPECT_EQ(twin<float>(Matrix<double>(3, 0)).size(), 0);
  const Matrix<double> x = support::normal_floats(300, 257);
  Matrix<float> y = x.cast<float>();
  softmax_cpu<float>(y, {}, y);
  EXPECT_EQ(y, twin<float>(x));
}

// ln(e + e² + e³) by mpmath at 25 digits; with a sink of 0.5 beside them, and halves of all at a temperature of 2.
TEST(SoftmaxLse, PublishedAndAtTheEdges) {
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  Matrix<double> x(5, 3);
  x << 1, 2, 3, -infinity, -infinity, -infinity, 1, infinity, -infinity, nan, infinity, 1, 800, 800, -800;
  const auto lse = [&x](const SoftmaxParams& params) {
    Matrix<double> ref(5, 1), in_double(5, 1);
    Matrix<float> in_float(5, 1);
    softmax_lse_ref(x, params, ref);
    softmax_lse_cpu<double>(x, params, in_double);
    softmax_lse_cpu<float>(x.cast<float>().eval(), params, in_float);
    for (Index i = 0; i < 5; ++i) {
      const double r = ref(i, 0);
      EXPECT_TRUE(in_double(i, 0) == r || support::close(in_double(i, 0), r, 1e-15) ||
                  (std::isnan(r) && std::isnan(in_double(i, 0))))
          << r;
      EXPECT_TRUE(in_float(i, 0) == static_cast<float>(r) || (std::isnan(r) && std::isnan(in_float(i, 0))))
          << r;
    }
    return ref;
  };
  Matrix<double> y = lse({});
  EXPECT_NEAR(y(0, 0), 3.4076059644443803, 1e-15 * 4);
  EXPECT_EQ(y(1, 0), -infinity);
  EXPECT_EQ(y(2, 0), infinity);
  EXPECT_TRUE(std::isnan(y(3, 0)));
  EXPECT_NEAR(y(4, 0), 800 + std::numbers::ln2, 1e-12);
  y = lse({.temperature = 2, .sink = 0.5});
  EXPECT_NEAR(y(0, 0), 2.3157695533766089, 1e-15 * 4);
  EXPECT_EQ(y(1, 0), 0.25);  // the sink alone
  Matrix<double> first(5, 1);
  softmax_lse_ref(x, {.mask = {.kind = Mask::Kind::sliding, .window = 1}}, first);
  EXPECT_EQ(first(2, 0), 1);  // the last three rows stand beside the keys
  EXPECT_EQ(first(0, 0), -infinity);
}

}  // namespace
}  // namespace orrery::attention::softmax_test
