// Pinned, or written, while side A is not there yet.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "app/export/export.h"
#include "app/gui/pinned.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::pinned_part_test {
namespace {

std::atomic<bool> hold;

/// A part of it at once, the whole when it is not held any more.
study::StudyResult parts_compute(const parameter::Settings&, const study::Run& run) {
  study::StudyResult result;
  result.figure.panels.resize(1);
  run.publish(result);
  while (hold) {
    run.check();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return result;
}
constexpr study::Study parts{.id = "test/parts",
                             .title = "Parts",
                             .topic = "Test",
                             .summary = "",
                             .formula = "x",
                             .about = "",
                             .source = "",
                             .parameters = {},
                             .tries = {},
                             .compute = parts_compute};

TEST(PinnedPart, APartThatIsPinnedIsComputedToItsEnd) {
  Harness h;
  hold = true;
  h.app.start_with(parts);
  for (int i = 0; i < 2000 && !(h.app.result() && h.app.result()->partial); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    h.frames();
  }
  ASSERT_TRUE(h.app.result());
  pin(h.app);
  h.frames();
  hold = false;
  h.settle();
  for (int i = 0; h.app.pinning() && i < 5000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    h.frames();
  }
  h.settle();
  ASSERT_TRUE(h.app.result()->compare);
  EXPECT_FALSE(h.app.result()->partial) << "A is still the part that was there as it was pinned";
}

TEST(PinnedPart, WhatIsWrittenBeforeAIsThereDoesNotClaimIt) {
  const support::TemporaryFolder folder;
  Harness h;
  h.app.open(study::find("rope/rotation"));
  h.settle();
  hold = true;
  h.app.edit("Pin", {}, [](Document& d) {
    d.pinned = Side{&parts, parameter::Settings(parts.parameters), study::DeviceChoice::cpu};
  });
  h.frames(3);
  ASSERT_TRUE(h.app.pinning());
  h.app.write(folder / "b.svg");
  while (h.app.exporting().running()) h.frames();
  EXPECT_EQ(exporter::read_recipe(folder / "b.svg").find("[compare"), std::string::npos);
  hold = false;
}

}  // namespace
}  // namespace orrery::gui::pinned_part_test
