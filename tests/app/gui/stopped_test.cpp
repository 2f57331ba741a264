// What is computed and does not come to its end: stopped, failed, or left while it was paused.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/tensor/error.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::stopped_test {
namespace {

constexpr parameter::Parameter declared[] = {
    {.name = "n", .label = "N", .kind = parameter::Kind::integer, .fallback = "0", .min = -1, .max = 9}};

study::StudyResult pictured() {
  study::StudyResult result;
  result.figure.panels.resize(1);
  return result;
}

std::atomic<bool> hold;

/// Looks up all the time, as a training does, for as long as it is held; -1 fails.
study::StudyResult held_compute(const parameter::Settings& settings, const study::Run& run) {
  if (settings.integer("n") < 0) throw Failure("n is negative");
  while (hold) {
    run.check();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return pictured();
}

study::StudyResult quick_compute(const parameter::Settings&, const study::Run&) {
  return pictured();
}

constexpr study::Study named(const char* id, const char* title,
                             study::StudyResult (*compute)(const parameter::Settings&, const study::Run&)) {
  return {.id = id,
          .title = title,
          .topic = "Test",
          .summary = "",
          .formula = "x",
          .about = "",
          .source = "",
          .parameters = declared,
          .tries = {},
          .compute = compute};
}

constexpr study::Study quick = named("test/quick", "Quick", quick_compute);
constexpr study::Study other = named("test/other", "Other", quick_compute);
constexpr study::Study held = named("test/held", "Held", held_compute);

/// The quick one's figure is there, and the held one is open.
class StoppedTest : public ::testing::Test {
 protected:
  StoppedTest() {
    hold = false;
    h.app.start_with(quick);
    h.settle();
    hold = true;
    h.app.open(held);
    h.frames();
  }
  ~StoppedTest() override { hold = false; }

  Harness h{{1280, 800}};
};

TEST_F(StoppedTest, TheFigureOfTheStudyBeforeStandsOnlyUntilNothingMayCome) {
  ASSERT_NE(h.app.pictured(), nullptr);
  EXPECT_EQ(h.app.pictured()->study, &quick) << "for a moment, rather than a flicker";
  EXPECT_FALSE(h.ui.items.find("no-figure"));
  h.app.cancel();
  h.frames(2);
  EXPECT_EQ(h.app.pictured(), nullptr);
  EXPECT_EQ(h.frame.figure().scene().width, 0);
  EXPECT_TRUE(h.ui.items.find("no-figure"));
  hold = false;
  h.app.compute_again();
  h.settle();
  ASSERT_NE(h.app.pictured(), nullptr);
  EXPECT_EQ(h.app.pictured()->study, &held);
  EXPECT_FALSE(h.ui.items.find("no-figure"));
}

TEST_F(StoppedTest, WhatTakesItsTimeHasNoFigureOfTheStudyBeforeUnderItsTitle) {
  for (int i = 0; i < 1000 && !h.app.stale(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    h.frames();
  }
  ASSERT_TRUE(h.app.stale());
  h.frames(2);
  EXPECT_EQ(h.app.pictured(), nullptr);
  EXPECT_EQ(h.frame.figure().scene().width, 0);
  EXPECT_FALSE(h.ui.items.find("no-figure")) << "it is on its way";
  EXPECT_TRUE(h.ui.items.find("cancel"));
  hold = false;
  h.settle();
  ASSERT_NE(h.app.pictured(), nullptr);
  EXPECT_EQ(h.app.pictured()->study, &held);
  h.app.change_text("n", "2");
  hold = true;
  h.frames();
  for (int i = 0; i < 1000 && !h.app.stale(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    h.frames();
  }
  EXPECT_NE(h.app.pictured(), nullptr) << "its own, of the settings before, stays";
}

TEST_F(StoppedTest, AFigureOfTheSettingsBeforeSaysSoForAsLongAsItIs) {
  hold = false;
  h.settle();
  EXPECT_FALSE(h.ui.items.find("status:left-behind"));
  hold = true;
  h.app.change_text("n", "2");
  h.frames();
  h.app.cancel();
  h.frames(2);
  EXPECT_TRUE(h.ui.items.find("status:left-behind"));
  h.app.say(Notice::Kind::done, "something else");
  h.frames(2);
  EXPECT_TRUE(h.ui.items.find("status:left-behind"));
  hold = false;
  h.app.compute_again();
  h.settle();
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("status:left-behind"));
}

TEST_F(StoppedTest, AfterAFailureTheFigureIsNotAnotherStudys) {
  h.app.change_text("n", "-1");
  h.settle();
  ASSERT_FALSE(h.app.error().empty());
  EXPECT_EQ(h.app.pictured(), nullptr);
  hold = false;
  h.app.change_text("n", "1");
  h.settle();
  h.app.change_text("n", "-1");
  h.settle();
  ASSERT_NE(h.app.pictured(), nullptr) << "its own, of the settings before, stays";
  EXPECT_EQ(h.app.pictured()->study, &held);
}

TEST_F(StoppedTest, WhatWasLeftWhileItWasPausedIsPausedWhenOneIsBack) {
  h.app.pause(true);
  ASSERT_TRUE(h.app.paused());
  h.app.open(quick);
  h.settle();
  EXPECT_NE(h.app.notice().text.find("what was paused is left"), std::string::npos) << h.app.notice().text;
  h.app.open(held);
  h.frames(2);
  EXPECT_TRUE(h.app.paused());
  EXPECT_TRUE(h.app.busy());
  hold = false;
  h.app.pause(false);
  h.settle();
  ASSERT_NE(h.app.result(), nullptr);
  EXPECT_EQ(h.app.result()->study, &held);
}

TEST_F(StoppedTest, WhatWentOnBeforeItWasLeftGoesOnWhenOneIsBack) {
  h.app.pause(true);
  h.app.pause(false);
  h.app.open(quick);
  h.settle();
  EXPECT_EQ(h.app.notice().text.find("paused"), std::string::npos) << h.app.notice().text;
  h.app.open(held);
  h.frames();
  EXPECT_FALSE(h.app.paused());
  EXPECT_TRUE(h.app.busy());
}

TEST_F(StoppedTest, WhatCameAsItsStudyWasLeftIsThereWhenOneIsBack) {
  h.app.cancel();
  h.app.open(other);
  h.app.update(0);
  while (h.app.busy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // it is there, and nobody looked
  h.app.open(held);
  h.app.change_text("n", "1");
  h.app.update(0);
  h.app.open(other);
  h.app.update(0);
  EXPECT_TRUE(h.app.result()) << "its outcome was dropped, and is remembered as seen";
}

}  // namespace
}  // namespace orrery::gui::stopped_test
