#include "core/bench/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

constexpr std::ptrdiff_t many = 5000;

/// Of `written` floats how many hold a number that is not there yet, when `read` of ones and a NaN at `at` are moved.
struct Found {
  std::ptrdiff_t filled, not_numbers;
};

Found moved(std::ptrdiff_t read, std::ptrdiff_t written, std::ptrdiff_t nan_at, bool past_caches) {
  const AlignedFloats from(many, 1), to(many, 0);
  from.data()[nan_at] = std::numeric_limits<float>::quiet_NaN();
  move_floats(from.data(), read, to.data(), written, past_caches);
  const float *begin = to.data(), *end = begin + written;
  EXPECT_EQ(std::count(end, begin + many, 0.0F), many - written) << "past the end";
  return {written - std::count(begin, end, 0.0F),
          std::count_if(begin, end, [](float v) { return std::isnan(v); })};
}

// Each is written once, and what is read reaches what is written, the last number too, or its sum does; the next is not read.
TEST(Memory, ReadsAndWritesAsManyAsItIsTold) {
  for (const bool past_caches : {false, true})
    for (const auto& [read, written] : {std::tuple{0, 4099},
                                        {1, 4099},
                                        {700, 4099},
                                        {2050, 4099},
                                        {4098, 4099},
                                        {4099, 4099},
                                        {4099, 4098},
                                        {4099, 1300},
                                        {4099, 17},
                                        {4099, 1}}) {
      SCOPED_TRACE(testing::Message()
                   << read << " read, " << written << " written, past the caches: " << past_caches);
      EXPECT_EQ(moved(read, written, many - 1, past_caches).filled, written);
      EXPECT_EQ(moved(read, written, read, past_caches).not_numbers, 0);
      for (const int at : {0, read / 3, read / 2, read - 1})
        if (read > 0) {
          EXPECT_EQ(moved(read, written, at, past_caches).not_numbers, 1) << at;
        }
    }
}

// What is not copied is filled with what it is told.
TEST(Memory, FillsWhatItDoesNotCopy) {
  for (const bool past_caches : {false, true})
    for (const float fill : {0.0F, 3.0F}) {
      const AlignedFloats from(many, 1), to(many, 2);
      move_floats(from.data(), 1024, to.data(), 4096, past_caches, fill);
      EXPECT_EQ(std::count(to.data(), to.data() + 4096, fill), 4096 - 1024);
      EXPECT_EQ(std::count(to.data(), to.data() + 4096, 1.0F), 1024);
    }
}

// No page waits for the others: after half of what is written, half of it is read, but for a page.
TEST(Memory, ReadsAndWritesInTurns) {
  constexpr std::ptrdiff_t read = 16 * 1024, written = 32 * 1024, page = 1024;
  const AlignedFloats from(read), to(written, 0);
  for (std::ptrdiff_t i = 0; i < read; ++i) from.data()[i] = 2 + static_cast<float>(i);
  move_floats(from.data(), read, to.data(), written, false);
  std::ptrdiff_t so_far = 0;
  for (std::ptrdiff_t i = 0; i < written; ++i) {
    so_far += to.data()[i] > 1 ? 1 : 0;
    ASSERT_NEAR(static_cast<double>(so_far), static_cast<double>(i) / 2, page) << i;
  }
  EXPECT_EQ(so_far, read);
}

}  // namespace
}  // namespace orrery::bench
