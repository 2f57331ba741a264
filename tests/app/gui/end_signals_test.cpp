// A signal that asks for an end is one that can be waited for, and leaves no trace behind.
#include "app/gui/end_signals.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <future>

namespace orrery::gui::end_signals_test {
namespace {

using Handler = void (*)(int);

Handler handler_of(int signal) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

/// As in a program that a terminal starts: a shell has what it runs in the background ignore Ctrl+C.
class AsAtFirst {
 public:
  explicit AsAtFirst(int signal) : signal_(signal), before_(::signal(signal, SIG_DFL)) {}
  ~AsAtFirst() { ::signal(signal_, before_); }
  AsAtFirst(const AsAtFirst&) = delete;
  AsAtFirst& operator=(const AsAtFirst&) = delete;

 private:
  int signal_;
  Handler before_;
};

class EndSignalsTest : public testing::TestWithParam<int> {
 private:
  const AsAtFirst as_at_first_{GetParam()};
};

TEST_P(EndSignalsTest, AsksAndWakesFromAnotherThread) {
  const Handler before = handler_of(GetParam());
  std::promise<std::thread::id> woken;
  {
    const EndSignals end([&] { woken.set_value(std::this_thread::get_id()); });
    EXPECT_FALSE(end.asked());
    ::raise(GetParam());
    EXPECT_TRUE(end.asked());
    EXPECT_NE(woken.get_future().get(), std::this_thread::get_id());
  }
  EXPECT_EQ(handler_of(GetParam()), before);
  const EndSignals next({});
  EXPECT_FALSE(next.asked()) << "what one was asked is not asked of the next";
}

TEST_P(EndSignalsTest, WhatIsIgnoredStaysIgnored) {
  const Handler before = ::signal(GetParam(), SIG_IGN);
  {
    const EndSignals end([] { ADD_FAILURE() << "woken by an ignored signal"; });
    ::raise(GetParam());
    EXPECT_FALSE(end.asked());
  }
  EXPECT_EQ(handler_of(GetParam()), SIG_IGN);
  ::signal(GetParam(), before);
}

INSTANTIATE_TEST_SUITE_P(All, EndSignalsTest, testing::Values(SIGTERM, SIGINT, SIGHUP));

TEST(EndSignals, OnlyCtrlCTwiceEndsAtOnce) {
  testing::GTEST_FLAG(death_test_style) = "fast";
  const auto twice = [](int signal) {
    const AsAtFirst as_at_first(signal);
    const EndSignals end({});
    ::raise(signal);
    ::raise(signal);
    ::_exit(7);
  };
  EXPECT_EXIT(twice(SIGINT), testing::KilledBySignal(SIGINT), "");
  EXPECT_EXIT(twice(SIGTERM), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(twice(SIGHUP), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace orrery::gui::end_signals_test
