// The runner with studies that wait for a sign, so that the order of things is decided here and not by the
// clock.
#include "app/recipe/runner.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/tensor/error.h"

namespace orrery::recipe::runner_test {
namespace {

constexpr std::array<parameter::Parameter, 1> declared{
    parameter::Parameter{.name = "n", .label = "N", .kind = parameter::Kind::integer, .fallback = "0"}};

std::atomic<int> started, finished, seen_stop, checked;
std::atomic<bool> hold;

study::StudyResult titled(std::int64_t n) {
  study::StudyResult result;
  result.figure.title = std::to_string(n);
  return result;
}

/// Negative n fails; otherwise waits while `hold` is set and nobody asks it to stop. It counts as started only when
/// it waits: before that, being asked to stop ends it in progress() or publish().
study::StudyResult waiting_compute(const parameter::Settings& settings, const study::Run& run) {
  const auto n = settings.integer("n");
  if (n < 0) {
    ++started;
    throw Failure("n is negative");
  }
  run.progress(0.5);
  run.publish(titled(1000 + n));
  ++started;
  while (hold && !run.cancelled()) std::this_thread::yield();
  if (run.cancelled()) ++seen_stop;
  run.check();
  ++finished;
  return titled(n);
}

/// Never looks at the stop token: what it yields comes too late.
study::StudyResult deaf_compute(const parameter::Settings& settings, const study::Run&) {
  ++started;
  while (hold) std::this_thread::yield();
  ++finished;
  return titled(settings.integer("n"));
}

/// Looks up all the time, as a training does.
study::StudyResult checking_compute(const parameter::Settings& settings, const study::Run& run) {
  ++started;
  try {
    while (hold) {
      run.check();
      ++checked;
    }
  } catch (const Cancelled&) {
    ++seen_stop;
    throw;
  }
  return titled(settings.integer("n"));
}

study::Study make(std::string_view id,
                  study::StudyResult (*compute)(const parameter::Settings&, const study::Run&)) {
  study::Study study{};
  study.id = id;
  study.parameters = declared;
  study.compute = compute;
  return study;
}

const study::Study waiting = make("test/waiting", waiting_compute), deaf = make("test/deaf", deaf_compute),
                   checking = make("test/checking", checking_compute);

parameter::Settings with(std::int64_t n) {
  parameter::Settings settings(declared);
  settings.set("n", parameter::Value{n});
  return settings;
}

/// Long enough for any machine; a test that gets this far has failed.
void wait_until(auto&& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    std::this_thread::yield();
  }
}

std::string title(const Runner& runner) {
  const auto outcome = runner.latest();
  return outcome ? outcome->result.figure.title : "";
}

class RunnerTest : public testing::Test {
 protected:
  void SetUp() override {
    started = finished = seen_stop = checked = 0;
    hold = false;
  }
  void TearDown() override { hold = false; }
};

TEST_F(RunnerTest, ComputesOnceForTheSameRequest) {
  Runner runner;
  for (int frame = 0; frame < 100; ++frame) runner.request(waiting, with(1), study::DeviceChoice::cpu);
  wait_until([&] { return !runner.busy(); });
  const auto outcome = runner.latest();
  for (int frame = 0; frame < 100; ++frame) runner.request(waiting, with(1), study::DeviceChoice::cpu);
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(runner.latest(), outcome);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(title(runner), "1");
  EXPECT_EQ(outcome->study, &waiting);
  EXPECT_EQ(outcome->settings, with(1));
  EXPECT_FALSE(outcome->device_name.empty());
}

TEST_F(RunnerTest, TheNewestWinsAndTheOldIsToldToStop) {
  hold = true;
  Runner runner;
  runner.request(waiting, with(1), study::DeviceChoice::cpu);
  wait_until([&] { return started == 1; });
  for (int n = 2; n <= 9; ++n) runner.request(waiting, with(n), study::DeviceChoice::cpu);
  wait_until([&] { return seen_stop >= 1; });  // the first was asked to stop though nobody released it
  hold = false;
  wait_until([&] { return !runner.busy(); });
  EXPECT_EQ(title(runner), "9");
  EXPECT_EQ(finished, 1);  // those in between were stopped or never begun
}

TEST_F(RunnerTest, WhatComesTooLateIsDropped) {
  hold = true;
  std::atomic<int> ready = 0;
  Runner runner([&] { ++ready; });
  runner.request(deaf, with(1), study::DeviceChoice::cpu);
  wait_until([&] { return started == 1; });
  runner.request(deaf, with(2), study::DeviceChoice::cpu);
  hold = false;
  wait_until([&] { return !runner.busy(); });
  EXPECT_EQ(title(runner), "2");
  EXPECT_EQ(finished, 2);
  wait_until([&] { return ready >= 1; });  // it is told just after it is there
  EXPECT_EQ(ready, 1);                     // the first result was never announced
}

TEST_F(RunnerTest, PublishesPartialFiguresAndProgress) {
  hold = true;
  Runner runner;
  runner.request(waiting, with(7), study::DeviceChoice::cpu);
  wait_until([&] { return runner.latest() != nullptr; });
  EXPECT_TRUE(runner.latest()->partial);
  EXPECT_EQ(title(runner), "1007");
  EXPECT_EQ(runner.progress(), 0.5);
  EXPECT_TRUE(runner.busy());
  EXPECT_GE(runner.busy_seconds(), 0);
  hold = false;
  wait_until([&] { return !runner.busy(); });
  EXPECT_FALSE(runner.latest()->partial);
  EXPECT_EQ(title(runner), "7");
  EXPECT_EQ(runner.busy_seconds(), 0);
}

TEST_F(RunnerTest, AnErrorIsAResult) {
  Runner runner;
  runner.request(waiting, with(-1), study::DeviceChoice::cpu);
  wait_until([&] { return !runner.busy(); });
  EXPECT_EQ(english(runner.latest()->error), "n is negative");
  runner.request(waiting, with(3), study::DeviceChoice::cpu);
  wait_until([&] { return !runner.busy(); });
  EXPECT_EQ(title(runner), "3");
}

TEST_F(RunnerTest, RemembersTheLastFewOutcomes) {
  std::atomic<int> ready = 0;
  Runner runner([&] { ++ready; });
  const auto ask = [&](std::int64_t n) {
    runner.request(waiting, with(n), study::DeviceChoice::cpu);
    wait_until([&] { return !runner.busy(); });
  };
  for (int n = 1; n <= 8; ++n) ask(n);
  EXPECT_EQ(started, 8);
  wait_until([&] { return ready == 24; });  // each told of its progress, its partial and its final figure
  runner.request(waiting, with(1), study::DeviceChoice::cpu);
  EXPECT_FALSE(runner.busy());  // at once, without waiting
  EXPECT_EQ(title(runner), "1");
  EXPECT_EQ(started, 8);
  EXPECT_EQ(ready, 25);

  ask(9);  // the ninth pushes out the one not used for longest: 2, since 1 was used again
  ask(1);
  EXPECT_EQ(started, 9);
  ask(2);
  EXPECT_EQ(started, 10);
  ask(-1);  // errors are not remembered
  ask(1);
  ask(-1);
  EXPECT_EQ(started, 12);
}

TEST_F(RunnerTest, ARememberedAnswerStopsWhatIsRunning) {
  Runner runner;
  runner.request(waiting, with(1), study::DeviceChoice::cpu);
  wait_until([&] { return !runner.busy(); });
  hold = true;
  runner.request(waiting, with(2), study::DeviceChoice::cpu);
  wait_until([&] { return started == 2; });
  runner.request(waiting, with(1), study::DeviceChoice::cpu);
  EXPECT_EQ(title(runner), "1");
  wait_until([&] { return seen_stop == 1; });
  EXPECT_EQ(title(runner), "1");
}

TEST_F(RunnerTest, EndsWhileSomethingRuns) {
  hold = true;
  {
    Runner runner;
    runner.request(waiting, with(1), study::DeviceChoice::cpu);
    wait_until([&] { return started == 1; });
  }
  EXPECT_EQ(seen_stop, 1);
}

/// A computation that was asked to rest: it has passed the check that it was at, and no other.
void pause_and_see(Runner& runner) {
  wait_until([&] { return checked > 0; });
  runner.pause(true);
  const int then = checked;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_LE(checked, then + 1);
  EXPECT_TRUE(runner.paused());
  EXPECT_TRUE(runner.busy());
}

TEST_F(RunnerTest, RestsAndGoesOnWithoutCountingTheRest) {
  hold = true;
  Runner runner;
  const auto begun = std::chrono::steady_clock::now();
  runner.request(checking, with(1), study::DeviceChoice::cpu);
  pause_and_see(runner);
  const auto rested = std::chrono::steady_clock::now();
  const double busy = runner.busy_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(runner.busy_seconds(), busy);
  const int then = checked;
  const std::chrono::duration<double> rest = std::chrono::steady_clock::now() - rested;
  runner.pause(false);
  EXPECT_FALSE(runner.paused());
  wait_until([&] { return checked > then + 1; });
  hold = false;
  wait_until([&] { return !runner.busy(); });
  EXPECT_EQ(title(runner), "1");
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begun;
  EXPECT_LE(runner.latest()->seconds, (all - rest).count());
}

TEST_F(RunnerTest, WhatRestsIsStillStopped) {
  hold = true;
  {
    Runner runner;
    runner.request(checking, with(1), study::DeviceChoice::cpu);
    pause_and_see(runner);
    runner.cancel();
    EXPECT_FALSE(runner.paused());
    wait_until([&] { return seen_stop == 1; });
    checked = 0;
    runner.request(checking, with(2), study::DeviceChoice::cpu);
    pause_and_see(runner);  // and its end, while it rests
  }
  EXPECT_EQ(seen_stop, 2);
}

TEST_F(RunnerTest, AnotherRequestDoesNotRest) {
  hold = true;
  Runner runner;
  runner.request(checking, with(1), study::DeviceChoice::cpu);
  pause_and_see(runner);
  runner.request(checking, with(2), study::DeviceChoice::cpu);
  EXPECT_FALSE(runner.paused());
  wait_until([&] { return seen_stop == 1 && started == 2; });
  hold = false;
  wait_until([&] { return !runner.busy(); });
  EXPECT_EQ(title(runner), "2");
  runner.pause(true);  // of nothing
  EXPECT_FALSE(runner.paused());
}

TEST_F(RunnerTest, ComputesNowOnThisThread) {
  const Outcome good = compute_now(waiting, with(5), study::Run{});
  EXPECT_EQ(good.result.figure.title, "5");
  EXPECT_EQ(english(good.error), "");
  EXPECT_EQ(english(compute_now(waiting, with(-5), study::Run{}).error), "n is negative");
  std::stop_source source;
  source.request_stop();
  study::Run cancelled;
  cancelled.stop = source.get_token();
  const Outcome none = compute_now(waiting, with(5), cancelled);
  EXPECT_EQ(english(none.error), "");
  EXPECT_EQ(none.result.figure.title, "");
}

}  // namespace
}  // namespace orrery::recipe::runner_test
