// A watch over text that is never set.
#include "app/export/font_stall.h"

#include <gtest/gtest.h>

#include <atomic>

#include "app/export/font_lock.h"

namespace orrery::exporter::font_stall_test {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 400ms;

void compute_for(std::chrono::milliseconds time) {
  volatile unsigned sum = 0;
  for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;)
    sum = sum + 1;
}

/// Whether it gave up while `work` went on.
bool gave_up(const auto& work) {
  std::atomic<bool> given_up = false;
  const FontStallWatch watch(patience, [&] { given_up = true; });
  work(given_up);
  return given_up;
}

TEST(FontStall, WhereTextIsBeingSetAndNothingIsComputedItGivesUp) {
  EXPECT_TRUE(gave_up([](const auto& given_up) {
    const FontLock lock;
    for (int i = 0; i < 1000 && !given_up; ++i) std::this_thread::sleep_for(20ms);
  }));
}

TEST(FontStall, NotWhereSomethingIsComputed) {
  EXPECT_FALSE(gave_up([](const auto&) {
    const FontLock lock;
    compute_for(3 * patience);
  }));
}

TEST(FontStall, NotWhereNoTextIsBeingSet) {
  EXPECT_FALSE(gave_up([](const auto&) { std::this_thread::sleep_for(3 * patience); }));
  EXPECT_FALSE(gave_up([](const auto&) {
    { const FontLock lock; }
    std::this_thread::sleep_for(3 * patience);
  }));
}

}  // namespace
}  // namespace orrery::exporter::font_stall_test
