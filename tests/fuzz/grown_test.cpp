// How memory and time grow with a file. The clock is the processor's, of this thread alone, so that company on the machine
// counts for nothing; a second for a megabyte is what is promised, some fifty times what is needed.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "tests/fuzz/memory.h"
#include "tests/fuzz/target.h"

namespace orrery::fuzz::grown_test {
namespace {

constexpr std::size_t megabyte = 1 << 20;

/// As long as that, or hardly shorter: some readers take no byte more.
std::string grown(const Growth& growth, std::size_t size) {
  std::string text = growth.before;
  text.reserve(size);
  const std::size_t number = growth.unit.find('#');
  const bool numbered = number != std::string::npos && growth.unit.size() > 1;
  for (std::size_t n = 0;; ++n) {
    const std::string unit =
        numbered ? growth.unit.substr(0, number) + std::to_string(n) + growth.unit.substr(number + 1)
                 : growth.unit;
    if (text.size() + unit.size() + growth.after.size() > size) break;
    text += unit;
  }
  text += growth.after;
  return growth.whole ? growth.whole(std::move(text)) : text;
}

/// What a reader says that has looked at a file's length or at its ends, and at nothing between: such a file shows nothing of
/// how reading grows.
constexpr std::string_view at_the_door[] = {"or cut short: its header", "cut off or is none",
                                            "the file ends too early", "allowed: up to 1048576 bytes"};

double seconds_of_this_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class FuzzGrown : public testing::TestWithParam<const Target*> {};

TEST_P(FuzzGrown, AMegabyteTakesLessThanASecondAndASmallMultipleOfItself) {
  // A tree of the file has a node for each value: at least two bytes of text ("1,"), and some hundred bytes with its name, its
  // place in the file and the slack of a growing list, twice where it is read and written. Besides, a recipe may have a
  // megabyte however well it was packed, and is held in some forms at a time.
  constexpr double most_per_byte = 200, besides = 16 << 20;
  double slowest = 0, largest = 0;
  for (const Growth& growth : GetParam()->growths) {
    const std::string input = grown(growth, megabyte);
    const std::string what = growth.before.substr(0, 40) + " … " + growth.unit;
    last_refusal.clear();
    const MemoryUse memory;
    const double start = seconds_of_this_thread();
    ASSERT_NO_THROW(GetParam()->read(input)) << what;
    const double seconds = seconds_of_this_thread() - start, bytes = static_cast<double>(memory.most());
    for (const std::string_view words : at_the_door)
      EXPECT_EQ(last_refusal.find(words), std::string::npos)
          << what << " is not read at all: " << last_refusal;
    slowest = std::max(slowest, seconds);
    largest = std::max(largest, bytes);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(seconds, 1) << what;
#endif
    EXPECT_LT(bytes, most_per_byte * static_cast<double>(input.size()) + besides) << what;
  }
  std::printf("  %zu kinds: %.3f s at most, %.1f bytes for each of the file%s\n", GetParam()->growths.size(),
              slowest, largest / megabyte, memory_is_counted() ? "" : " (not counted under a sanitizer)");
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzGrown, testing::ValuesIn(targets()),
                         [](const auto& each) { return std::string(each.param->name); });

}  // namespace
}  // namespace orrery::fuzz::grown_test
