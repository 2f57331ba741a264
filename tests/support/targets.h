// Kernels on every kind of processor that this one can stand for.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdint>
#include <string>

namespace orrery::support {

/// Runs `body` once for every kind of processor, named; the real one again at the end.
template <class Body>
void on_every_target(Body body) {
  int kinds = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body(std::string(hwy::TargetName(target)));
    ++kinds;
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_GE(kinds, 1);
}

}  // namespace orrery::support
