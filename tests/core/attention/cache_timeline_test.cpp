// The passes through a cache, against what one writes down by hand.
#include "core/attention/cache_timeline.h"

#include <gtest/gtest.h>

#include "core/tensor/error.h"

namespace orrery::attention::cache_timeline_test {
namespace {

using tensor::Index;

std::vector<Index> held(const CachePass& pass) {
  std::vector<Index> tokens;
  for (const CachedKey& key : pass.keys) tokens.push_back(key.token);
  return tokens;
}
std::vector<double> right(const CachePass& pass) {
  std::vector<double> positions;
  for (const CachedKey& key : pass.keys) positions.push_back(key.right.position);
  return positions;
}
std::vector<double> cached(const CachePass& pass) {
  std::vector<double> positions;
  for (const CachedKey& key : pass.keys) positions.push_back(key.cached.position);
  return positions;
}
std::vector<double> lengths(const CachePass& pass) {
  std::vector<double> all;
  for (const CachedKey& key : pass.keys) all.push_back(key.cached.length);
  return all;
}

TEST(CacheTimeline, ReadsAPromptInChunksAndThenTokenByToken) {
  const auto passes = cache_timeline({.prompt = 5, .chunk = 2, .decoded = 2});
  ASSERT_EQ(passes.size(), 5u);
  const Index first[] = {0, 2, 4, 5, 6}, fed[] = {2, 2, 1, 1, 1};
  const double length[] = {2, 4, 5, 6, 7};
  for (std::size_t p = 0; p < 5; ++p) {
    EXPECT_EQ(passes[p].first, first[p]);
    EXPECT_EQ(passes[p].fed, fed[p]);
    EXPECT_EQ(passes[p].decoding, p > 2);
    EXPECT_EQ(passes[p].length(), length[p]);
    EXPECT_TRUE(passes[p].evicted.empty());
    for (const CachedKey& key : passes[p].keys) EXPECT_EQ(key.cached, key.right);
  }
  EXPECT_EQ(right(passes[4]), (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(cache_timeline({.prompt = 5, .decoded = 2}).size(), 3u);
  EXPECT_EQ(cache_timeline({.prompt = 5, .chunk = 9}).size(), 1u);
}

TEST(CacheTimeline, CountsThePaddingOrSkipsIt) {
  EXPECT_EQ(right(cache_timeline({.prompt = 2, .decoded = 1, .pads = 3}).back()),
            (std::vector<double>{0, 1, 2}));
  const auto counted = cache_timeline({.prompt = 2, .decoded = 1, .pads = 3, .pads_counted = true}).back();
  EXPECT_EQ(right(counted), (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(counted.length(), 6);
}

/// Xiao et al., section 3.2 and figure 4: with tokens 0, 1, 2, 3, 6, 7, 8 in the cache and the ninth being read, the positions
/// are 0 … 7 and not those of the text.
TEST(CacheTimeline, KeepsTheFirstTokensAndRenumbersTheOthers) {
  const CachePlan plan{.prompt = 9, .decoded = 1, .capacity = 8, .first_kept = 4};
  const auto text = cache_timeline(plan).back();
  EXPECT_EQ(text.evicted, (std::vector<Index>{4, 5}));
  EXPECT_EQ(held(text), (std::vector<Index>{0, 1, 2, 3, 6, 7, 8, 9}));
  EXPECT_EQ(right(text), (std::vector<double>{0, 1, 2, 3, 6, 7, 8, 9}));
  CachePlan renumbered = plan;
  renumbered.renumbered = true;
  const auto slots = cache_timeline(renumbered).back();
  EXPECT_EQ(right(slots), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(cached(slots), right(slots));
  EXPECT_EQ(slots.length(), 8);
}

TEST(CacheTimeline, APassHasRoomForAllOfItsTokens) {
  // A chunk that is longer than the cache: only first tokens stay before it, and all of its own while it is read.
  const auto passes = cache_timeline({.prompt = 8, .chunk = 4, .decoded = 1, .capacity = 3, .first_kept = 1});
  EXPECT_EQ(held(passes[1]), (std::vector<Index>{0, 4, 5, 6, 7}));
  EXPECT_EQ(held(passes[2]), (std::vector<Index>{0, 7, 8}));
  // As many first tokens as the cache has room for: the last of them makes room.
  EXPECT_EQ(held(cache_timeline({.prompt = 3, .decoded = 2, .capacity = 2, .first_kept = 5}).back()),
            (std::vector<Index>{0, 4}));
  EXPECT_EQ(held(cache_timeline({.prompt = 3, .decoded = 2, .capacity = 1}).back()), (std::vector<Index>{4}));
}

TEST(CacheTimeline, EachMistakeByHand) {
  const CachePlan plan{.prompt = 5, .chunk = 2, .decoded = 2, .pads = 3};
  const auto last = [&](CacheMistake mistake) {
    CachePlan wrong = plan;
    wrong.mistake = mistake;
    return cache_timeline(wrong).back();
  };
  using Positions = std::vector<double>;
  EXPECT_EQ(cached(last(CacheMistake::decoded_at_zero)), (Positions{0, 1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(cached(last(CacheMistake::chunks_from_zero)), (Positions{0, 1, 0, 1, 0, 5, 6}));
  // The first pass of one token is the prompt's last, at 4: so are the decoded ones.
  EXPECT_EQ(cached(last(CacheMistake::table_by_length)), (Positions{0, 1, 0, 1, 4, 4, 4}));
  EXPECT_EQ(cached(last(CacheMistake::prompt_before_zero)), (Positions{-3, -2, -1, 0, 1, 5, 6}));
  EXPECT_EQ(cached(last(CacheMistake::old_rotation)), (Positions{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(lengths(last(CacheMistake::old_rotation)), (Positions{2, 2, 4, 4, 5, 6, 7}));
  EXPECT_EQ(lengths(last(CacheMistake::none)), Positions(7, 7.0));
  CachePlan wrong = plan;
  wrong.mistake = CacheMistake::never_reset;
  EXPECT_EQ(lengths(cache_timeline(wrong).front()), (Positions{7, 7}));
  // Nothing has left, so nothing is wrong yet; in a cache of four, tokens from 4 on count from three keys.
  EXPECT_EQ(cached(last(CacheMistake::length_of_cache)), (Positions{0, 1, 2, 3, 4, 5, 6}));
  wrong.mistake = CacheMistake::length_of_cache;
  wrong.capacity = 4;
  EXPECT_EQ(held(cache_timeline(wrong).back()), (std::vector<Index>{3, 4, 5, 6}));
  EXPECT_EQ(cached(cache_timeline(wrong).back()), (Positions{3, 3, 3, 3}));
}

TEST(CacheTimeline, WhoTurnsKeysOnByADifferenceKeepsTheirMistakes) {
  // Slots move down by one a pass, and so does what was two too little from the beginning; old rotations stay.
  CachePlan plan{.prompt = 4, .decoded = 2, .pads = 2, .capacity = 4, .renumbered = true};
  plan.mistake = CacheMistake::prompt_before_zero;
  const auto shifted = cache_timeline(plan).back();
  EXPECT_EQ(held(shifted), (std::vector<Index>{2, 3, 4, 5}));
  EXPECT_EQ(cached(shifted), (std::vector<double>{-2, -1, 2, 3}));
  plan.mistake = CacheMistake::old_rotation;
  EXPECT_EQ(cached(cache_timeline(plan).back()), (std::vector<double>{2, 3, 3, 3}));
}

TEST(CacheTimeline, SaysWhatAPlanMayBe) {
  EXPECT_THROW(cache_timeline({.prompt = 0}), InvalidArgument);
  EXPECT_THROW(cache_timeline({.prompt = 1, .decoded = -1}), InvalidArgument);
  EXPECT_THROW(cache_timeline({.prompt = 1, .capacity = -1}), InvalidArgument);
}

}  // namespace
}  // namespace orrery::attention::cache_timeline_test
