// Reading that never ends, played by a function that waits for the test to end.
#include "app/study/reading.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <thread>

#include "app/recipe/runner.h"
#include "core/tensor/error.h"

namespace orrery::study::reading_test {
namespace {

using namespace std::chrono_literals;

/// Answers no one until it is told to.
class Stuck {
 public:
  Stuck() : until_(told_.get_future().share()) {}
  ~Stuck() {
    if (!free_) told_.set_value();
  }
  void answer() {
    free_ = true;
    told_.set_value();
  }
  auto read(int value) {
    return [until = until_, begun = begun_, value] {
      ++*begun;
      until.wait();
      return value;
    };
  }
  int begun() const { return *begun_; }

 private:
  std::promise<void> told_;
  std::shared_future<void> until_;
  std::shared_ptr<std::atomic<int>> begun_ = std::make_shared<std::atomic<int>>(0);
  bool free_ = false;
};

TEST(ReadingTest, AnAnswerAndAnErrorComeBack) {
  Reading<int> seven("a", [] { return 7; });
  ASSERT_TRUE(seven.wait_for(60s));
  EXPECT_EQ(seven.take(), 7);
  EXPECT_FALSE(seven.asked());
  Reading<int> wrong("a", []() -> int { throw Failure("no"); });
  ASSERT_TRUE(wrong.wait_for(60s));
  EXPECT_THROW(wrong.take(), Failure);
}

TEST(ReadingTest, WhoeverIsAskedToStopDoesNotWait) {
  Stuck stuck;
  std::stop_source stop;
  std::jthread impatient([&] {
    while (stuck.begun() == 0) std::this_thread::yield();
    stop.request_stop();
  });
  EXPECT_THROW(read_patiently(stop.get_token(), "b", stuck.read(1)), Cancelled);
}

TEST(ReadingTest, APlaceThatDoesNotAnswerHoldsOneThread) {
  Stuck stuck;
  Reading<int> first("c", stuck.read(1));
  while (stuck.begun() == 0) std::this_thread::yield();
  for (int i = 0; i < 1000; ++i) Reading<int>("c", stuck.read(2));
  Reading<int> last("c", stuck.read(3));
  Reading<int> elsewhere("d", [] { return 4; });
  ASSERT_TRUE(elsewhere.wait_for(60s));
  EXPECT_EQ(stuck.begun(), 1);
  stuck.answer();
  ASSERT_TRUE(last.wait_for(60s));
  EXPECT_EQ(last.take(), 3);
  EXPECT_EQ(first.take(), 1);
  EXPECT_EQ(stuck.begun(), 2);  // what nobody waited for any longer was not begun
}

TEST(ReadingTest, WhoWaitsIsWokenUnlessHeWent) {
  std::atomic<int> woken = 0;
  Reading<int> heard(
      "e", [] { return 1; }, [&] { ++woken; });
  ASSERT_TRUE(heard.wait_for(60s));
  while (woken == 0) std::this_thread::yield();
  Stuck stuck;
  {
    const Reading<int> left("f", stuck.read(1), [&] { ++woken; });
  }
  stuck.answer();
  Reading<int> after("f", [] { return 2; });
  ASSERT_TRUE(after.wait_for(60s));
  EXPECT_EQ(woken, 1);
}

// A study whose file never opens.
Stuck* stuck_file = nullptr;
StudyResult reads_for_ever(const parameter::Settings&, const Run& run) {
  read_patiently(run.stop, "g", stuck_file->read(1));
  return {};
}

StudyResult reads_nothing(const parameter::Settings&, const Run&) {
  return {};
}

TEST(ReadingTest, AStudyThatWaitsForItsFileIsCancelledAndTheRunnerGoes) {
  Stuck stuck;
  stuck_file = &stuck;
  static constexpr std::array<parameter::Parameter, 1> declared{
      parameter::Parameter{.name = "n", .label = "N", .kind = parameter::Kind::integer, .fallback = "0"}};
  Study waiting{}, quick{};
  waiting.id = "test/waiting";
  quick.id = "test/quick";
  waiting.parameters = quick.parameters = declared;
  waiting.compute = reads_for_ever;
  quick.compute = reads_nothing;
  const parameter::Settings settings(declared);
  {
    recipe::Runner runner;
    runner.request(waiting, settings, DeviceChoice::ref);
    while (stuck.begun() == 0) std::this_thread::yield();
    runner.cancel();
    EXPECT_FALSE(runner.busy());
    runner.request(quick, settings, DeviceChoice::ref);  // the worker is free for it
    while (runner.busy()) std::this_thread::yield();
    EXPECT_EQ(runner.latest()->study, &quick);
    runner.forget();
    runner.request(waiting, settings, DeviceChoice::ref);
  }  // ends though nothing was answered
  EXPECT_GE(stuck.begun(), 1);
}

}  // namespace
}  // namespace orrery::study::reading_test
