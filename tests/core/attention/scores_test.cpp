#include "core/attention/scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "core/simd/aligned_room.h"
#include "core/simd/share.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"
#include "tests/support/compare.h"
#include "tests/support/inputs.h"
#include "tests/support/reference.h"
#include "tests/support/threads.h"
#include "tests/support/within.h"

namespace orrery::attention::scores_test {
namespace {

using support::GuardedMatrix;
using support::Threads;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double masked = -std::numeric_limits<double>::infinity();

const Mask none{}, causal{Mask::Kind::causal};
Mask sliding(Index window) {
  return {Mask::Kind::sliding, window};
}

Matrix<double> reference(const Matrix<double>& q, const Matrix<double>& k, const ScoresParams& params = {}) {
  Matrix<double> s(q.rows(), k.rows());
  scores_ref(q, k, params, s);
  return s;
}

template <class T>
Matrix<T> twin(const Matrix<double>& q, const Matrix<double>& k, const ScoresParams& params = {}) {
  const Matrix<T> queries = q.cast<T>(), keys = k.cast<T>();
  GuardedMatrix<T> out(q.rows(), k.rows());
  scores_cpu<T>(queries, keys, params, out.view());
  EXPECT_TRUE(out.intact());
  return out.view().eigen();
}

TEST(Scores, TheDefaultScaleIsOneOverTheRootOfTheWidth) {
  const Matrix<double> q = Matrix<double>::Constant(1, 64, 2), k = Matrix<double>::Constant(1, 64, 3);
  EXPECT_EQ(reference(q, k)(0, 0), 64 * 6 / 8.0);
  EXPECT_EQ(twin<float>(q, k)(0, 0), 48);
  EXPECT_EQ(reference(q, k, {.scale = 0.5, .mask = {}})(0, 0), 192);
  EXPECT_EQ(twin<float>(q, k, {.scale = 0.5, .mask = {}})(0, 0), 192);
  // DeepSeek-V3: 192 wide, before its own factor.
  const double published = support::reference_values().at("deepseek_softmax_scale").at("v3").at("base_scale");
  EXPECT_TRUE(support::close(scores_scale({}, 192), published, 2e-16));
}

TEST(Scores, UnitNormalsHaveUnitVariance) {
  // Var(q·k) = d for independent unit normals (Vaswani et al., footnote 4); 40000 correlated samples, so 5 %.
  const Matrix<double> s = reference(support::normal_floats(200, 64, 1), support::normal_floats(200, 64, 2));
  EXPECT_NEAR(s.squaredNorm() / double(s.size()), 1, 0.05);
}

TEST(Scores, CpuIsWithinItsBoundOnEveryInput) {
  support::Worst worst("scores"), worst_double("scores in double");
  for (Index d : support::input_sizes()) {
    for (const auto& set : support::input_sets()) {
      const Matrix<double> q = set.make(5, d), k = set.make(9, d);
      for (const Mask& mask : {none, causal, sliding(3)}) {
        const ScoresParams params{.scale = {}, .mask = mask};
        const std::string where = std::string(set.name) + " × " + std::to_string(d);
        const Matrix<double> r = reference(q, k, params);
        worst.expect(support::compare(View<const float>(twin<float>(q, k, params)), r, scores_bound(d)),
                     where);
        worst_double.expect(
            support::compare(View<const double>(twin<double>(q, k, params)), r,
                             {.rel = 1e-15, .nmse = 1e-24, .row = scores_bound(d).row}, tensor::Format::f64),
            where);
      }
    }
  }
}

// The rule that holds for every input, even where all scores of a row cancel: an error relative to
// scale·Σ|q_j k_j|.
TEST(Scores, ErrorsAreSmallBesideTheSumOfMagnitudes) {
  const Matrix<double> q = support::normal_floats(70, 1000, 1), k = support::normal_floats(90, 1000, 2);
  const Matrix<double> r = reference(q, k), size = reference(q.cwiseAbs(), k.cwiseAbs());
  const Matrix<double> error = (twin<float>(q, k).cast<double>() - r).cwiseAbs();
  // Rounded once, and the sum in double: 2⁻²⁴|s| + 1000 · 2⁻⁵³ · size.
  EXPECT_LE((error.array() - 0x1p-24 * r.cwiseAbs().array() - 1000 * 0x1p-52 * size.array()).maxCoeff(), 0);
  EXPECT_LE((error.array() - scores_gpu_bound(1000) * size.array()).maxCoeff(), 0);
}

TEST(Scores, MasksHideWhatTheySay) {
  // 7 queries beside the last of 10 keys: query t stands at position t + 3.
  const Matrix<double> q = support::normal_floats(7, 4, 1), k = support::normal_floats(10, 4, 2);
  const Matrix<double> open = reference(q, k);
  for (const Mask& mask : {none, causal, sliding(1), sliding(3), sliding(10), sliding(Index{1} << 62)}) {
    const Matrix<double> r = reference(q, k, {.scale = {}, .mask = mask}), y = twin<double>(q, k, {{}, mask});
    for (Index t = 0; t < 7; ++t)
      for (Index n = 0; n < 10; ++n) {
        const Index distance = t + 3 - n;
        const Index width = mask.kind == Mask::Kind::sliding ? mask.window : 1000;
        const bool seen = mask.kind == Mask::Kind::none || (distance >= 0 && distance < width);
        EXPECT_EQ(r(t, n), seen ? open(t, n) : masked);
        EXPECT_EQ(y(t, n) == masked, !seen);
      }
  }
}

TEST(Scores, ASlidingWindowCountsTheTokenItself) {
  const Matrix<double> x = support::normal_floats(6, 4);
  for (Index t = 0; t < 6; ++t) {
    Index seen_by_one = 0, seen_by_four = 0;
    const Matrix<float> one = twin<float>(x, x, {{}, sliding(1)}), four = twin<float>(x, x, {{}, sliding(4)});
    for (Index n = 0; n < 6; ++n) {
      seen_by_one += one(t, n) != float(masked);
      seen_by_four += four(t, n) != float(masked);
    }
    EXPECT_EQ(seen_by_one, 1);
    EXPECT_NE(one(t, t), float(masked));
    EXPECT_EQ(seen_by_four, std::min<Index>(t + 1, 4));
  }
}

TEST(Scores, QueriesBeforeTheFirstKeySeeNothing) {
  // More queries than keys: the first two stand before every key.
  const Matrix<double> q = support::normal_floats(5, 8, 1), k = support::normal_floats(3, 8, 2);
  for (const Mask& mask : {causal, sliding(2)}) {
    const Matrix<double> r = reference(q, k, {{}, mask});
    const Matrix<float> y = twin<float>(q, k, {{}, mask});
    for (Index n = 0; n < 3; ++n)
      for (Index t : {0, 1}) EXPECT_TRUE(r(t, n) == masked && y(t, n) == float(masked));
    EXPECT_NE(y(2, 0), float(masked));
  }
}

TEST(Scores, NanStaysInItsRowOrColumn) {
  Matrix<double> q = support::normal_floats(70, 16, 1), k = support::normal_floats(70, 16, 2);
  q(3, 2) = nan;
  k(40, 15) = nan;
  for (const Mask& mask : {none, causal}) {
    const Matrix<double> r = reference(q, k, {{}, mask});
    const Matrix<float> y = twin<float>(q, k, {{}, mask});
    for (Index t = 0; t < 70; ++t)
      for (Index n = 0; n < 70; ++n) {
        const bool expected = mask.allows(t, n, 70, 70) && (t == 3 || n == 40);
        EXPECT_EQ(std::isnan(r(t, n)), expected);
        EXPECT_EQ(std::isnan(y(t, n)), expected);
      }
  }
}

TEST(Scores, EdgesOfTheShapes) {
  const Matrix<double> none_wide(3, 0), four_wide(4, 0);
  EXPECT_EQ(reference(none_wide, four_wide), Matrix<double>::Zero(3, 4));
  EXPECT_EQ(twin<float>(none_wide, four_wide), Matrix<float>::Zero(3, 4));
  EXPECT_EQ(twin<float>(none_wide, none_wide, {{}, causal})(0, 1), float(masked));
  EXPECT_EQ(twin<float>(Matrix<double>(0, 8), support::normal_floats(4, 8)).size(), 0);
  EXPECT_EQ(twin<float>(support::normal_floats(4, 8), Matrix<double>(0, 8)).size(), 0);
}

TEST(Scores, BlocksAndThreadsChangeNothing) {
  const Matrix<double> q = support::normal_floats(200, 33, 1), k = support::normal_floats(300, 33, 2);
  for (const Mask& mask : {none, causal, sliding(50)}) {
    const ScoresParams params{{}, mask};
    EXPECT_TRUE(support::within(support::compare(View<const float>(twin<float>(q, k, params)),
                                                 reference(q, k, params), scores_bound(33))));
  }
}

TEST(Scores, AWindowThatSeesNothingIsRefused) {
  const Matrix<double> x = support::normal_floats(2, 4);
  EXPECT_THROW(twin<float>(x, x, {{}, sliding(0)}), InvalidArgument);
  try {
    reference(x, x, {{}, sliding(0)});
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "sliding window: found 0, allowed: at least 1 (the token itself)");
  }
}

/// All NaN are one.
bool same_bits(View<const float> a, View<const float> b) {
  for (Index t = 0; t < a.rows; ++t)
    for (Index n = 0; n < a.cols; ++n) {
      const float x = a.row(t)[static_cast<std::size_t>(n)], y = b.row(t)[static_cast<std::size_t>(n)];
      if (std::isnan(x) != std::isnan(y)) return false;
      if (!std::isnan(x) && std::bit_cast<std::uint32_t>(x) != std::bit_cast<std::uint32_t>(y)) return false;
    }
  return true;
}

// What is nothing but products times a factor goes a way of its own, which a padding that hides nobody does not take.
TEST(PlainScores, AreThoseOfTheOtherWayToTheBit) {
  const auto check = [](Index queries, Index keys, Index d, ScoresParams params) {
    tensor::Random random(static_cast<unsigned>(queries + keys));
    const Matrix<float> q = random.normals(queries, d).cast<float>(),
                        k = random.normals(keys, d).cast<float>();
    const std::vector<std::uint8_t> nobody(static_cast<std::size_t>(keys), 1);
    GuardedMatrix<float> plain(queries, keys), other(queries, keys);
    scores_cpu<float>(q, k, params, plain.view());
    params.padding = nobody;
    scores_cpu<float>(q, k, params, other.view());
    EXPECT_TRUE(plain.intact());
    EXPECT_TRUE(same_bits(plain.view(), other.view())) << queries << " × " << keys << ", d " << d;
  };
  const std::vector<double> ids = [] {
    std::vector<double> all(131);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i < 40 ? 0 : i < 110 ? 1 : 2;
    return all;
  }();
  const std::vector<KeyRange> documents = documents_of(ids);
  // Fewer and more keys than queries.
  for (const Index queries : {1, 7, 8, 31, 33, 131})
    for (const Index keys : {1, 12, 47, 48, 50, 97, 131})
      for (const Mask& mask :
           {none, causal, sliding(1), sliding(20), Mask{.kind = Mask::Kind::prefix, .prefix = 9},
            Mask{.kind = Mask::Kind::chunked, .chunk = 30}})
        for (const double scale : {0.3, 0.25, -2.0, 0.0})
          check(queries, keys, 5, {.scale = scale, .mask = mask});
  for (const Mask::Kind kind : {Mask::Kind::none, Mask::Kind::causal})
    check(131, 131, 64, {.mask = {.kind = kind, .documents = documents}});
  check(100, 131, 16, {.mask = causal, .log_n = LogN{.trained = 20}});
  // Around tiles of 6 and 12 queries, groups of 16 keys, 4 and 16 numbers of each.
  for (const Index queries : {5, 6, 11, 12, 13, 23, 24, 25})
    for (const Index keys : {15, 16, 17, 33})
      for (const Index d : {0, 1, 3, 4, 15, 16, 17, 32, 35})
        for (const Mask& mask : {none, causal, sliding(7)}) check(queries, keys, d, {.mask = mask});
  // So many numbers to a key that its panels are made a few keys at a time.
  for (const Index keys : {131, 300})
    for (const Mask& mask : {none, causal, sliding(20), Mask{.kind = Mask::Kind::prefix, .prefix = 50},
                             Mask{.kind = Mask::Kind::chunked, .chunk = 30}, Mask{.documents = documents}})
      if (keys == 131 || mask.documents.empty()) check(50, keys, 9001, {.mask = mask});
  {
    const Threads one(1);  // blocks of several tiles, from 192 queries on of 48
    for (const Index queries : {95, 96, 97, 109, 121, 192, 193, 239, 241, 287})
      for (const Mask& mask : {none, causal, sliding(20)}) check(queries, 100, 35, {.mask = mask});
  }
  for (const Index queries : {1, 40, 150, 300})  // fewer and more queries than the documents have keys
    for (const Mask::Kind kind : {Mask::Kind::none, Mask::Kind::causal, Mask::Kind::prefix})
      check(queries, 131, 35, {.mask = {.kind = kind, .prefix = 50, .documents = documents}});
}

// A power of two is part of the queries, where that changes nothing.
TEST(PlainScores, FactorsAndNumbersOfEverySize) {
  constexpr float inf = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max(),
                  least = std::numeric_limits<float>::denorm_min();
  const std::vector<float> numbers{0.0F, -0.0F, 1.5F, -0.7F, least, -3 * least,
                                   most, -most, inf,  -inf,  NAN,   1e-30F};
  const auto size = static_cast<Index>(numbers.size());
  Matrix<float> q(size, 2), k(size, 2);
  for (Index i = 0; i < size; ++i) {
    q.row(i) << numbers[static_cast<std::size_t>(i)], 1.0F;
    k.row(i) << numbers[static_cast<std::size_t>(i)], numbers[static_cast<std::size_t>((i + 3) % size)];
  }
  const std::vector<std::uint8_t> nobody(numbers.size(), 1);
  for (const double scale : {1.0, 0.25, 0x1p98, 0x1p-98, 0x1p99, 0x1p101, 0x1p-101, 0x1p-1000, 0x1p1000, -0.5,
                             -1.0, 0.0, 3.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    Matrix<float> plain(size, size), other(size, size);
    scores_cpu<float>(q, k, {.scale = scale}, plain);
    scores_cpu<float>(q, k, {.scale = scale, .padding = nobody}, other);
    EXPECT_TRUE(same_bits(plain, other)) << scale << "\n" << plain << "\n\n" << other;
  }
}

// Past the caches, of so many terms that what nobody sees is hidden between them; rows may be longer than what is written.
TEST(PlainScores, WhatNobodySeesIsHiddenPastTheCachesBetweenTheTerms) {
  // At 33 terms all keys at a time, at 601 some.
  for (const auto& [queries, keys, stride, d] : {std::tuple<Index, Index, Index, Index>(1100, 2048, 2048, 33),
                                                 {1100, 2037, 2064, 33},
                                                 {2100, 1050, 1056, 33},
                                                 {2100, 1050, 1056, 1201},
                                                 {1100, 2037, 2064, 601}}) {
    const Matrix<float> q = tensor::Random(1).normals(queries, d).cast<float>(),
                        k = tensor::Random(2).normals(keys, d).cast<float>();
    const std::vector<std::uint8_t> nobody(static_cast<std::size_t>(keys), 1);
    for (const Mask& mask : {none, causal, sliding(100), Mask{.kind = Mask::Kind::prefix, .prefix = 500},
                             Mask{.kind = Mask::Kind::chunked, .chunk = 300}}) {
      Matrix<float> other(queries, keys);
      scores_cpu<float>(q, k, {.mask = mask, .padding = nobody}, other);
      for (const int count : {1, 5}) {
        const Threads threads(count);
        const auto room = simd::aligned_room<float>(queries * stride);
        std::fill_n(room.get(), queries * stride, 7.0F);
        const View<float> s(room.get(), queries, keys, stride),
            beside(room.get() + keys, queries, stride - keys, stride);
        ASSERT_TRUE(simd::is_large(s) && simd::starts_on_lines(s));
        scores_cpu<float>(q, k, {.mask = mask}, s);
        EXPECT_TRUE(s.eigen() == other) << queries << " × " << keys << ", " << count << " threads";
        EXPECT_TRUE((beside.eigen().array() == 7).all());
      }
    }
  }
}

TEST(PlainScores, ReadNoNeighbour) {
  const Matrix<float> q = tensor::Random(1).normals(29, 21).cast<float>(),
                      k = tensor::Random(2).normals(37, 21).cast<float>();
  Matrix<float> q_room = Matrix<float>::Constant(31, 40, NAN), k_room = Matrix<float>::Constant(39, 29, NAN);
  q_room.block(1, 3, 29, 21) = q;
  k_room.block(1, 5, 37, 21) = k;
  for (const Mask& mask : {none, causal}) {
    Matrix<float> whole(29, 37), part(29, 37);
    scores_cpu<float>(q, k, {.mask = mask}, whole);
    scores_cpu<float>({q_room.data() + 43, 29, 21, 40}, {k_room.data() + 34, 37, 21, 29}, {.mask = mask},
                      part);
    EXPECT_TRUE(whole == part);
  }
}

// Past the caches: whole lines, and rows that start anywhere.
TEST(PlainScores, AreWrittenPastTheCachesAsElsewhere) {
  for (const Index keys : {2048, 2047}) {
    const Matrix<float> q = tensor::Random(1).normals(1100, 3).cast<float>(),
                        k = tensor::Random(2).normals(keys, 3).cast<float>();
    const std::vector<std::uint8_t> nobody(static_cast<std::size_t>(keys), 1);
    Matrix<float> plain(1100, keys), other(1100, keys);
    for (const Mask& mask : {none, causal, sliding(100)}) {
      plain.setConstant(7);
      scores_cpu<float>(q, k, {.mask = mask}, plain);
      scores_cpu<float>(q, k, {.mask = mask, .padding = nobody}, other);
      EXPECT_TRUE(plain == other) << keys;
    }
  }
}

}  // namespace
}  // namespace orrery::attention::scores_test
