// Scores that are nothing but products times a factor go a way of their own, which a padding that hides nobody does not take.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "core/attention/plain_scores_kernels.h"
#include "core/attention/scores.h"
#include "core/simd/aligned_room.h"
#include "core/simd/share.h"
#include "core/tensor/random.h"
#include "tests/support/compare.h"
#include "tests/support/threads.h"

namespace orrery::attention::plain_scores_test {
namespace {

using support::GuardedMatrix;
using support::Threads;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

const Mask none{}, causal{Mask::Kind::causal};
Mask sliding(Index window) {
  return {Mask::Kind::sliding, window};
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
  // At 33 terms all keys at a time, at 500 and more some; at 601 and more each thread has panels of its own.
  for (const auto& [queries, keys, stride, d] : {std::tuple<Index, Index, Index, Index>(1100, 2048, 2048, 33),
                                                 {1100, 2037, 2064, 33},
                                                 {2100, 1050, 1056, 33},
                                                 {2100, 1050, 1056, 1201},
                                                 {1100, 2037, 2064, 500},
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

// While another thread writes panels, this one makes its own, and touches neither them nor what is said of them.
TEST(PlainScores, WaitForNoOtherThread) {
  constexpr Index keys = 40, d = 20;
  const PlainTile tile = plain_tile();
  const Index queries = tile.queries,
              all_keys = (keys + tile.keys_together - 1) / tile.keys_together * tile.keys_together;
  const Matrix<float> q = tensor::Random(1).normals(queries, d).cast<float>(),
                      k = tensor::Random(2).normals(keys, d).cast<float>();
  const auto room = [](Index count) { return simd::aligned_room<double>(count); };
  const auto tiles = room(queries * d), numbers = room(all_keys * d), beside = room(tile.keys_together * d);
  write_queries({q.data(), queries, d, d}, 1, tiles.get());
  std::fill_n(numbers.get(), all_keys * d, std::nan(""));
  std::vector<std::uint8_t> state(static_cast<std::size_t>(all_keys / tile.keys_together), Panels::begun);
  const std::vector<std::int64_t> first(static_cast<std::size_t>(queries), 0),
      end(static_cast<std::size_t>(queries), keys);
  const std::vector<double> factors(static_cast<std::size_t>(queries), 1);
  Matrix<float> s(queries, keys), usual(queries, keys);
  s.setConstant(7);
  plain_scores(
      {.operands = {.q = tiles.get(),
                    .first_seen = first.data(),
                    .end_seen = end.data(),
                    .panels = {.keys = {k.data(), keys, d, d},
                               .numbers = numbers.get(),
                               .state = state.data(),
                               .beside = beside.get(),
                               .part = 0,
                               .parts = 1},
                    .factors = factors.data(),
                    .scaled = false,
                    .d = d},
       .block = {.s = s.data(), .rows = queries, .key = 0, .keys = keys, .first = 0, .end = all_keys},
       .unseen = {.s = s.data(), .rows = 0, .key = 0, .keys = keys, .first = 0, .end = all_keys},
       .next = {},
       .stride = keys,
       .streamed = false});
  scores_cpu<float>(q, k, {.scale = 1.0}, usual);
  EXPECT_TRUE(same_bits(s, usual));
  EXPECT_TRUE(
      std::all_of(numbers.get(), numbers.get() + all_keys * d, [](double x) { return std::isnan(x); }));
  EXPECT_TRUE(std::ranges::all_of(state, [](std::uint8_t x) { return x == Panels::begun; }));
}

// Threads that all come to a few panels at once, some before others have written them.
TEST(PlainScores, ManyThreadsMeetAtTheSamePanels) {
  constexpr Index queries = 400, keys = 131, d = 48;
  const Matrix<float> q = tensor::Random(1).normals(queries, d).cast<float>(),
                      k = tensor::Random(2).normals(keys, d).cast<float>();
  Matrix<float> alone(queries, keys), together(queries, keys);
  for (const Mask& mask : {none, causal}) {
    {
      const Threads one(1);
      scores_cpu<float>(q, k, {.mask = mask}, alone);
    }
    const Threads many(8);
    for (int i = 0; i < 200; ++i) {
      together.setConstant(7);
      scores_cpu<float>(q, k, {.mask = mask}, together);
      ASSERT_TRUE(same_bits(alone, together)) << "call " << i;
    }
  }
}

}  // namespace
}  // namespace orrery::attention::plain_scores_test
