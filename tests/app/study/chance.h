// A property of a study, asked at settings that chance draws.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>

#include "tests/app/study/draw.h"

namespace orrery::study {

/// ask(settings, result) at `settings_of_chance` settings, drawn from first_seed on and computed on these devices in turn.
/// What is not done within `quick` is passed over, and `done_at_least` have to be done.
template <class Ask>
void at_settings_of_chance(const Study& study, std::uint64_t first_seed,
                           const std::vector<DeviceChoice>& devices, Ask ask) {
  int done = 0;
  for (std::uint64_t i = 0; i < settings_of_chance; ++i) {
    const auto settings = drawn(study, first_seed + i);
    SCOPED_TRACE(described(settings));
    const auto result = within(quick, devices[i % devices.size()], study, settings);
    if (!result) continue;
    ++done;
    ask(settings, *result);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(done, done_at_least);
}

}  // namespace orrery::study
