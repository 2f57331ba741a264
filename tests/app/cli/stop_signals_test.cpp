// One wish to stop, however many signals say it.
#include "app/cli/stop_signals.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <initializer_list>

#include "tests/support/child.h"

namespace orrery::cli_test::stop_signals_test {
namespace {

using cli::StopSignals;

/// Of a process that gets these: the signal that ended it; 0 where none did, and it knows that one came.
int ended_by(std::initializer_list<int> signals, bool ignored = false) {
  const support::End end = support::end_of_child([&] {
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::signal(each, ignored ? SIG_IGN : SIG_DFL);
    const StopSignals listens;
    for (const int each : signals) ::raise(each);
    return StopSignals::came() ? 0 : 1;
  });
  if (end.signal != 0) return end.signal;
  return end.code == 0 ? 0 : -1;
}

TEST(StopSignals, WhatProgramsSaySeveralTimesIsOneWish) {
  for (const int first : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(ended_by({first}), 0);
    EXPECT_EQ(ended_by({first, SIGTERM}), 0);
    EXPECT_EQ(ended_by({first, SIGHUP, SIGTERM, SIGTERM}), 0);
  }
  EXPECT_EQ(ended_by({SIGTERM, SIGINT}), 0);
}

TEST(StopSignals, AKeyThatIsPressedTwiceEndsTheProgram) {
  EXPECT_EQ(ended_by({SIGINT, SIGINT}), SIGINT);
  EXPECT_EQ(ended_by({SIGINT, SIGTERM, SIGINT}), SIGINT);
}

TEST(StopSignals, WhatACallerIgnoresStaysIgnored) {
  EXPECT_EQ(ended_by({SIGINT, SIGINT, SIGTERM, SIGHUP}, true), -1) << "none is heard";
}

TEST(StopSignals, AfterwardsAllIsAsItWas) {
  const support::End end = support::end_of_child([] {
    ::signal(SIGTERM, SIG_DFL);
    {
      const StopSignals listens;
      ::raise(SIGTERM);
    }
    ::raise(SIGTERM);
  });
  EXPECT_EQ(end, support::signal(SIGTERM));
}

}  // namespace
}  // namespace orrery::cli_test::stop_signals_test
