// How rows are shared out over threads: each is done once, and tiny work stays where it is.
#include "core/simd/share.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/threads.h"

namespace orrery::simd::share_test {
namespace {

constexpr Index large = small_work + 1;

/// How often each row was done, by whom whatever.
class Counts {
 public:
  explicit Counts(Index count) : times_(static_cast<std::size_t>(count)) {}
  void add(Index first, Index end) {
    for (; first < end; ++first) ++times_.at(static_cast<std::size_t>(first));
  }
  bool all_are_one() const {
    return std::ranges::all_of(times_, [](const auto& times) { return times == 1; });
  }

 private:
  std::vector<std::atomic<int>> times_;
};

TEST(Share, EveryRowIsDoneOnce) {
  for (const Index size : {Index{1}, large}) {
    for (const Index count : {0, 1, 2, 7, 16, 17, 33, 1000}) {
      Counts parts(count);
      share(count, size, [&](Index first, Index end) { parts.add(first, end); });
      EXPECT_TRUE(parts.all_are_one()) << count;
      for (const Index turn : {0, 1, 3, 16}) {
        Counts turns(count), told(count);
        share_in_turns({.count = count, .size = size, .turn = turn},
                       [&] { return [&](Index first, Index end) { turns.add(first, end); }; });
        EXPECT_TRUE(turns.all_are_one()) << count << " in turns of " << turn;
        share_in_turns({.count = count, .size = size, .turn = turn},
                       [&] { return [&](Index first, Index end, Index) { told.add(first, end); }; });
        EXPECT_TRUE(told.all_are_one()) << count << " in turns of " << turn << ", told what comes next";
      }
    }
  }
}

TEST(Share, AThreadIsToldWhereItsNextTurnStarts) {
  share_in_turns({.count = 1000, .size = large}, [] {
    return [told = Index{-1}](Index first, Index, Index next) mutable {
      if (told >= 0) {
        EXPECT_EQ(first, told);
      }
      EXPECT_GT(next, first);
      told = next;
    };
  });
}

TEST(Share, TinyWorkStaysOnTheCallingThread) {
  const auto here = std::this_thread::get_id();
  share(1000, small_work, [&](Index, Index) { EXPECT_EQ(std::this_thread::get_id(), here); });
  share_in_turns({.count = 1000, .size = small_work}, [&] {
    return [&](Index first, Index end) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      EXPECT_EQ(first, 0);
      EXPECT_EQ(end, 1000);
    };
  });
}

// What one of several threads does among themselves is its own, in one go: it packs what it needs once.
TEST(Share, OneOfManyStaysOnItsThread) {
#pragma omp parallel num_threads(2)
  {
    const auto here = std::this_thread::get_id();
    share_in_turns({.count = 1000, .size = large}, [&] {
      return [&](Index first, Index end) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        EXPECT_EQ(first, 0);
        EXPECT_EQ(end, 1000);
      };
    });
  }
}

TEST(Share, FewRowsGoRoundToo) {
  const Turns few{.count = 8 * Index{omp_get_max_threads()}, .size = large};
  EXPECT_EQ(few.taken_at_a_time(), 2);
  EXPECT_EQ((Turns{.count = 2, .size = large}.taken_at_a_time()), 1);
  EXPECT_EQ((Turns{.count = 1 << 20, .size = large}.taken_at_a_time()), 16);
}

// As when there is no memory left: what left a parallel region would end the program.
TEST(Share, WhatAThreadThrowsArrives) {
  const support::Threads threads(4);
  const auto thrown = [](const auto& work) -> std::string {
    try {
      work();
      return "nothing";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  for (const int thrower : {0, 3}) {
    const auto throws = [&](const char* where) {
      if (omp_get_thread_num() == thrower) throw std::runtime_error(where);
    };
    EXPECT_EQ(thrown([&] { share(16, large, [&](Index, Index) { throws("part"); }); }), "part");
    const Turns turns{.count = 64, .size = large, .turn = 1};
    EXPECT_EQ(thrown([&] {
                share_in_turns(turns, [&] {
                  throws("start");
                  return [](Index, Index) {};
                });
              }),
              "start");
    EXPECT_EQ(thrown([&] { share_in_turns(turns, [&] { return [&](Index, Index) { throws("turn"); }; }); }),
              "turn");
  }
  // All at once: one of them.
  EXPECT_EQ(thrown([&] { share(16, large, [](Index, Index) { throw std::runtime_error("each"); }); }),
            "each");
  Counts after(16);
  share(16, large, [&](Index first, Index end) { after.add(first, end); });
  EXPECT_TRUE(after.all_are_one());
}

}  // namespace
}  // namespace orrery::simd::share_test
