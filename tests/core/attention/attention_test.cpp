#include "core/attention/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/tensor/error.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/within.h"

namespace orrery::attention::attention_test {
namespace {

using support::GuardedMatrix;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const Mask none{}, causal{Mask::Kind::causal};
const Mask sliding{.kind = Mask::Kind::sliding, .window = 5}, prefix{.kind = Mask::Kind::prefix, .prefix = 6};
const Mask chunked{.kind = Mask::Kind::chunked, .chunk = 9};

/// Long ones first, then short ones.
std::vector<KeyRange> some_documents(Index keys) {
  std::vector<double> ids;
  for (Index n = 0; n < keys; ++n)
    ids.push_back(std::floor(static_cast<double>(n) / 13) + (n < 40 ? 0 : static_cast<double>(n / 3)));
  return documents_of(ids);
}

struct Qkv {
  Matrix<double> q, k, v;
  Qkv(Index queries, Index keys, Index d, Index e)
      : q(support::normal_floats(queries, d, 1)),
        k(support::normal_floats(keys, d, 2)),
        v(support::normal_floats(keys, e, 3)) {}
};

Matrix<double> reference(const Qkv& x, const AttentionParams& params) {
  Matrix<double> o(x.q.rows(), x.v.cols());
  attention_ref(x.q, x.k, x.v, params, o);
  return o;
}
Matrix<double> reference_weights(const Qkv& x, const AttentionParams& params) {
  Matrix<double> p(x.q.rows(), x.k.rows());
  attention_weights_ref(x.q, x.k, params, p);
  return p;
}

template <class T>
Matrix<T> twin(const Qkv& x, const AttentionParams& params) {
  const Matrix<T> q = x.q.cast<T>(), k = x.k.cast<T>(), v = x.v.cast<T>();
  GuardedMatrix<T> o(q.rows(), v.cols());
  attention_cpu<T>(q, k, v, params, o.view());
  EXPECT_TRUE(o.intact());
  return o.view().eigen();
}
template <class T>
Matrix<T> twin_weights(const Qkv& x, const AttentionParams& params) {
  const Matrix<T> q = x.q.cast<T>(), k = x.k.cast<T>();
  GuardedMatrix<T> p(q.rows(), k.rows());
  attention_weights_cpu<T>(q, k, params, p.view());
  EXPECT_TRUE(p.intact());
  return p.view().eigen();
}

double logit_of(const Qkv& x, const AttentionParams& params) {
  return largest_logit(View<const double>(x.q), View<const double>(x.k), params);
}

// Every remainder of tiles (4 or 8 queries, 12 to 48 keys) and of vectors, under every mask.
TEST(Attention, FloatIsWithinItsBoundOnEveryShapeAndMask) {
  support::Worst weights("weights"), values("values");
  for (const auto& [queries, keys] :
       {std::pair<Index, Index>{1, 1}, {1, 100}, {7, 7}, {33, 49}, {96, 96}, {50, 20}})
    for (const Index d : {1, 3, 64, 130}) {
      const std::vector<KeyRange> documents = some_documents(keys);
      const Mask packed{.documents = documents},
          packed_causal{.kind = Mask::Kind::causal, .documents = documents};
      for (const Mask& mask : {none, causal, sliding, prefix, chunked, packed, packed_causal}) {
        const Qkv x(queries, keys, d, d + 2);
        const AttentionParams params{.scores = {.mask = mask}, .softmax = {}};
        const double logit = logit_of(x, params);
        ASSERT_TRUE(attention_in_float(params, logit, false));
        const std::string where =
            std::to_string(queries) + "×" + std::to_string(keys) + "×" + std::to_string(d);
        weights.expect(support::compare(View<const float>(twin_weights<float>(x, params)),
                                        reference_weights(x, params), attention_bound(logit, d, keys, true)),
                       where);
        values.expect(support::compare(View<const float>(twin<float>(x, params)), reference(x, params),
                                       attention_bound(logit, d, keys, true, x.v.cwiseAbs().maxCoeff())),
                      where);
      }
    }
}

TEST(Attention, AFloatResultIsStreamedOnlyWhereItMayBe) {
  // 2100 × 1000 floats are beyond the caches: rows of 1000 start on no cache line, rows of 1008 do.
  const AttentionParams params{.scores = {.mask = causal}, .softmax = {}};
  for (const Index keys : {1000, 1008, 2048}) {
    const Qkv x(2100, keys, 8, 1);
    const Matrix<float> q = x.q.cast<float>(), k = x.k.cast<float>();
    std::vector<float> room(static_cast<std::size_t>(2100 * keys + 16));
    float* start = room.data();
    while (reinterpret_cast<std::uintptr_t>(start) % 64 != 0) ++start;
    const View<float> p(start, 2100, keys);
    attention_weights_cpu<float>(q, k, params, p);
    EXPECT_TRUE(support::within(support::compare(View<const float>(p), reference_weights(x, params),
                                                 attention_bound(logit_of(x, params), 8, keys, true))));
  }
}

// Times e^±39 these values leave float; their mean does not.
TEST(Attention, ValuesOfAnySizeKeepTheirMean) {
  for (const float sign : {1.0F, -1.0F})
    for (const float size : {1e24F, 1.0F, 1e-30F}) {
      const Matrix<float> q = Matrix<float>::Constant(2, 4, sign * 4.4F),
                          k = Matrix<float>::Constant(3, 4, 4.4F), v = Matrix<float>::Constant(3, 2, size);
      ASSERT_TRUE(
          attention_in_float({}, largest_logit(View<const float>(q), View<const float>(k), {}), false));
      Matrix<float> o(2, 2);
      attention_cpu<float>(q, k, v, {}, o);
      for (const float mean : o.reshaped()) EXPECT_NEAR(mean / size, 1, 1e-6) << size;
    }
}

TEST(Attention, LogitsTooLargeForFloatAreComputedInDouble) {
  Qkv x(40, 60, 64, 16);
  x.q *= 64;  // logits up to 64 · 13
  const AttentionParams params{.scores = {.mask = causal}, .softmax = {}};
  const double logit = logit_of(x, params);
  ASSERT_FALSE(attention_in_float(params, logit, false));
  EXPECT_TRUE(
      support::within(support::compare(View<const float>(twin_weights<float>(x, params)),
                                       reference_weights(x, params), attention_bound(logit, 64, 60, false))));
  EXPECT_LT(attention_bound(logit, 64, 60, false).rel, 0x1p-23);  // rounded once, and little more
}

TEST(Attention, WeightsAreAMeanUnderEveryMask) {
  Qkv x(20, 30, 16, 4);
  x.v.setOnes();
  for (const Mask& mask : {none, causal, sliding, prefix}) {
    const AttentionParams params{.scores = {.mask = mask}, .softmax = {}};
    EXPECT_LT((reference(x, params).array() - 1).abs().maxCoeff(), 30 * 0x1p-53);
    // The sum of 30 weights of up to 1, and the quotient, in float.
    EXPECT_LT((twin<float>(x, params).array() - 1).abs().maxCoeff(), 32 * 0x1p-24f);
  }
}

TEST(Attention, NeighboursShareKeys) {
  // repeat_interleave, as LLaMA's published code: heads 0 to 3 read key head 0. Tiling would give 0, 1, 0, 1, …
  for (Index h = 0; h < 8; ++h) EXPECT_EQ(key_value_head(h, 8, 2), h < 4 ? 0 : 1);
  EXPECT_EQ(key_value_head(5, 6, 6), 5);
  EXPECT_EQ(key_value_head(5, 6, 1), 0);
}

TEST(Attention, WhatTheMaskHidesDoesNoHarm) {
  Qkv x(6, 6, 8, 3);
  x.v.row(5).setConstant(nan);
  x.v(4, 1) = std::numeric_limits<double>::infinity();
  x.k.row(5).setConstant(nan);
  const AttentionParams params{.scores = {.mask = causal}, .softmax = {}};
  for (const Matrix<double>& o : {reference(x, params), twin<double>(x, params),
                                  Matrix<double>(twin<float>(x, params).cast<double>())}) {
    EXPECT_TRUE(o.topRows(4).allFinite());
    EXPECT_TRUE(o.row(5).array().isNaN().all());
    EXPECT_EQ(o(4, 1), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isfinite(o(4, 0)));
  }
}

TEST(Attention, AQueryThatSeesNothingGivesZeros) {
  const Qkv x(5, 3, 8, 4);  // the first two stand before every key
  const AttentionParams params{.scores = {.mask = causal}, .softmax = {}};
  for (const Matrix<double>& o : {reference(x, params), twin<double>(x, params),
                                  Matrix<double>(twin<float>(x, params).cast<double>())}) {
    EXPECT_EQ(o.topRows(2), (Matrix<double>::Zero(2, 4)));
    EXPECT_NE(o(2, 0), 0);
  }
  const Qkv no_keys(5, 0, 8, 4);
  EXPECT_EQ(twin<float>(no_keys, {}), (Matrix<float>::Zero(5, 4)));
  EXPECT_EQ(reference(no_keys, {}), (Matrix<double>::Zero(5, 4)));
}

TEST(Attention, ASinkTakesWhatNoKeyWants) {
  // One key of logit 0 and a sink of 0: a half each; a very low sink changes nothing.
  Qkv x(1, 1, 4, 1);
  x.q.setZero();
  x.v.setOnes();
  EXPECT_EQ(reference(x, {.scores = {}, .softmax = {.sink = 0}})(0, 0), 0.5);
  EXPECT_EQ(twin<float>(x, {.scores = {}, .softmax = {.sink = 0}})(0, 0), 0.5f);
  EXPECT_EQ(twin<float>(x, {.scores = {}, .softmax = {.sink = -1000}})(0, 0), 1);
}

TEST(Attention, RefusesWhatScoresAndSoftmaxRefuse) {
  const Qkv x(2, 3, 4, 4);
  EXPECT_THROW(twin<float>(x, {.scores = {.cap = 0}, .softmax = {}}), InvalidArgument);
  EXPECT_THROW(twin<float>(x, {.scores = {}, .softmax = {.temperature = 0}}), InvalidArgument);
  EXPECT_THROW(twin_weights<double>(x, {.scores = {.log_n = LogN{.trained = 1}}, .softmax = {}}),
               InvalidArgument);
}

}  // namespace
}  // namespace orrery::attention::attention_test
