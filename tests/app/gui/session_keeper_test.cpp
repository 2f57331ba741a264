// When the window writes what it remembers, and what it finds at the next start: after a clean end, after a crash, and beside
// other windows.
#include "app/gui/session_keeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "app/gui/left_windows.h"
#include "app/gui/tray.h"
#include "tests/app/gui/other_window.h"
#include "tests/app/gui/session_samples.h"

namespace orrery::gui::session_keeper_test {
namespace {

namespace fs = std::filesystem;
using session_samples::full_session;
using session_samples::pass;
using session_samples::side;
using SessionKeeperTest = session_samples::SessionTest;

TEST_F(SessionKeeperTest, AChangeIsOnTheDiskWithinFiveSecondsAndNothingIsWrittenWithoutOne) {
  SessionKeeper keeper(file);
  App app;
  keeper.restore(app);
  double now = 100;
  pass(keeper, app, now, 5);
  const auto first = fs::last_write_time(own);
  pass(keeper, app, now, 60);
  EXPECT_EQ(fs::last_write_time(own), first);
  app.start_with(study::find("rope/rotation"));
  app.change_text("base", "4242");
  // Asked when it wants to be asked, and not before: what the window's sleep does.
  const double wait = keeper.poll(now, app, 1600, 1000);
  EXPECT_LE(wait, 4);
  pass(keeper, app, now, wait + 0.25);
  EXPECT_EQ(session_from_toml(text_of(own)).session.document.live.settings.real("base"), 4242);
}

TEST_F(SessionKeeperTest, TheEndIsWrittenAtOnceAndComesBack) {
  {
    SessionKeeper keeper(file);
    App app;
    EXPECT_FALSE(keeper.restore(app));
    app.start_with(study::find("rope/rotation"));
    app.change_text("base", "1234");
    app.preferences.theme = "light";
    app.page.folder = "/somewhere";
    keeper.poll(0, app, 1280, 800);
    keeper.finish(app, 1280, 800);
  }
  SessionKeeper keeper(file);
  App app;
  EXPECT_TRUE(keeper.restore(app));
  EXPECT_EQ(app.settings().real("base"), 1234);
  EXPECT_EQ(app.preferences.theme, "light");
  EXPECT_EQ(app.page.folder, "/somewhere");
  EXPECT_EQ(keeper.found().width, 1280);
  EXPECT_EQ(app.notice().text, "");
  EXPECT_FALSE(app.history().can_undo());
}

/// A disk that was full for a while: what could not be written is tried again without another change, nothing that is needed
/// until then is taken away, and the end is as clean as any.
TEST_F(SessionKeeperTest, WhatCouldNotBeWrittenIsTriedAgain) {
  {
    SessionKeeper keeper(file);
    App app;
    keeper.restore(app);
    fs::create_directory(own);  // in the way
    const fs::path taken_over = folder / "session.4-1.toml";
    std::ofstream(taken_over) << to_toml(full_session());
    left_windows().taken_over = {taken_over};
    app.start_with(study::find("rope/rotation"));
    app.change_text("base", "4242");
    double now = 0;
    for (; now < 5; now += 0.25) keeper.poll(now, app, 1600, 1000);
    for (int wait = 0; wait < 5000 && app.notice().text.empty(); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      keeper.poll(now, app, 1600, 1000);
    }
    EXPECT_NE(app.notice().text.find("will not be remembered"), std::string::npos) << app.notice().text;
    EXPECT_FALSE(keeper.up_to_date());
    EXPECT_TRUE(fs::exists(taken_over)) << "what it held is in no other file yet";
    fs::remove(own);
    pass(keeper, app, now, 61);
    EXPECT_EQ(session_from_toml(text_of(own)).session.document.live.settings.real("base"), 4242);
    keeper.finish(app, 1600, 1000);
    EXPECT_FALSE(fs::exists(taken_over));
  }
  EXPECT_EQ(session_from_toml(text_of(file)).session.document.live.settings.real("base"), 4242);
}

/// A window that works for a while and then dies of what no program can catch.
[[noreturn]] void work_and_die(const fs::path& file, const char* base, bool settle) {
  SessionKeeper keeper(file);
  App app;
  keeper.restore(app);
  app.open(study::find("rope/rotation"));
  app.change_text("base", base);
  double now = 0;
  pass(keeper, app, now, settle ? SessionKeeper::beginning + 5 : 5);
  std::raise(SIGKILL);
  std::abort();
}

TEST_F(SessionKeeperTest, ACrashLosesNothingAndUndoIsAFreshStart) {
  testing::GTEST_FLAG(death_test_style) = "fast";  // the other style sets the folder up anew
  EXPECT_EXIT(work_and_die(file, "777", true), testing::KilledBySignal(SIGKILL), "");
  SessionKeeper keeper(file);
  App app;
  const Document fresh = app.document();
  EXPECT_TRUE(keeper.restore(app));
  EXPECT_EQ(app.settings().real("base"), 777);
  EXPECT_NE(app.notice().text.find("unexpected end"), std::string::npos) << app.notice().text;
  EXPECT_TRUE(app.undo());
  EXPECT_TRUE(app.document() == fresh);
  EXPECT_TRUE(app.redo());
  EXPECT_EQ(app.settings().real("base"), 777);
}

/// The study that a window begins with, before it restores anything, is one of those that were left with settings.
TEST_F(SessionKeeperTest, ACrashLosesNoSettingsOfStudiesThatWereLeft) {
  Session session;
  session.document.live = side("norm/compare", 4);
  const App fresh;
  const study::Study& first = fresh.study();
  session.left[&first] = study::drawn(first, 5);
  session.page.name = "mine";
  App app;
  app.restore(session, true);
  EXPECT_EQ(app.study().id, "norm/compare");
  EXPECT_TRUE(app.session().left == session.left);
  EXPECT_EQ(app.page.name, "mine");
  app.open(first);
  EXPECT_TRUE(app.settings() == session.left[&first]);
}

TEST_F(SessionKeeperTest, ASessionThatKillsTheProgramAgainIsPutAside) {
  testing::GTEST_FLAG(death_test_style) = "fast";  // the other style sets the folder up anew
  EXPECT_EXIT(work_and_die(file, "777", true), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EXIT(work_and_die(file, "888", false), testing::KilledBySignal(SIGKILL), "");
  {
    SessionKeeper keeper(file);
    App app;
    EXPECT_FALSE(keeper.restore(app));
    EXPECT_NE(app.notice().text.find("session.bad.toml"), std::string::npos) << app.notice().text;
    EXPECT_NE(text_of(folder / "session.bad.toml").find("base = 888"), std::string::npos);
    keeper.finish(app, 1600, 1000);
  }
  SessionKeeper keeper(file);
  App app;
  keeper.restore(app);
  EXPECT_EQ(app.notice().text, "") << "said once";
}

/// The one that is offered first, when the disk has answered.
void restore_one(App& app) {
  restore_left_window(app);
  while (left_windows().inquiry.pending()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    left_windows().inquiry.poll();
  }
}

std::vector<std::string> titles(const App& app) {
  std::vector<std::string> all;
  for (const Collected& each : collected(app.document().tray)) all.push_back(each.title);
  return all;
}

TEST_F(SessionKeeperTest, WindowsSideBySideHaveASessionEachAndTheKilledOneComesBack) {
  OtherWindow first(file, "rope/rotation", "1111"), second(file, "position/sinusoidal", "2222");
  second.kill();
  {
    SessionKeeper keeper(file);
    App app;
    ASSERT_TRUE(keeper.restore(app));
    EXPECT_EQ(app.settings().real("base"), 2222);
    EXPECT_EQ(titles(app), std::vector<std::string>{"2222"});
    EXPECT_NE(app.notice().text.find("unexpected end"), std::string::npos) << app.notice().text;
    EXPECT_TRUE(left_windows().offered.empty()) << "the first one runs";
    first.close();
    keeper.finish(app, 1600, 1000);
  }
  // The one that was closed last opens, the other is offered.
  SessionKeeper keeper(file);
  App app;
  ASSERT_TRUE(keeper.restore(app));
  EXPECT_EQ(app.settings().real("base"), 2222);
  EXPECT_EQ(app.notice().text, "");
  ASSERT_EQ(left_windows().offered.size(), 1u);
  const fs::path left = left_windows().offered.front().file;
  restore_one(app);
  EXPECT_EQ(app.settings().real("base"), 1111);
  EXPECT_EQ(titles(app), (std::vector<std::string>{"1111", "2222"}));
  EXPECT_TRUE(fs::exists(left)) << "until it is written here";
  keeper.finish(app, 1600, 1000);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(app.undo());
  EXPECT_EQ(app.settings().real("base"), 2222);
}

/// Who started it may not yet have taken note that it ended.
TEST_F(SessionKeeperTest, AWindowThatNobodyBuriedIsDead) {
  OtherWindow other(file, "rope/rotation", "1111");
  other.kill(false);
  SessionKeeper keeper(file);
  App app;
  ASSERT_TRUE(keeper.restore(app));
  EXPECT_EQ(app.settings().real("base"), 1111);
}

/// A fault in a frame is no close, and what is being written then is waited for.
TEST_F(SessionKeeperTest, WhatWasLeftComesBack) {
  {
    SessionKeeper keeper(file);
    App app;
    const study::Reading<bool> slow_disk(folder.path().string(), [] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      return true;
    });
    app.start_with(study::find("rope/rotation"));
    app.change_text("base", "777");
    for (double now = 0; now < 20; now += 0.5) keeper.poll(now, app, 1600, 1000);
    keeper.leave();
  }
  SessionKeeper keeper(file);
  App app;
  ASSERT_TRUE(keeper.restore(app));
  EXPECT_EQ(app.settings().real("base"), 777);
  EXPECT_NE(app.notice().text.find("unexpected end"), std::string::npos) << app.notice().text;
}

TEST_F(SessionKeeperTest, AWindowIsRestoredWithItsSettingsOfOtherStudies) {
  const auto with_base = [](const char* study, const char* base) {
    parameter::Settings settings(study::find(study).parameters);
    settings.set("base",
                 parameter::parse(*std::ranges::find(study::find(study).parameters, std::string_view("base"),
                                                     &parameter::Parameter::name),
                                  base));
    return settings;
  };
  Session other;
  other.document.live = side("position/sinusoidal", 3);
  other.left[&study::find("rope/rotation")] = with_base("rope/rotation", "777");
  other.left[&study::find("rope/wavelengths")] = with_base("rope/wavelengths", "888");
  App app;
  app.start_with(study::find("rope/wavelengths"));
  app.change_text("base", "999");
  app.open(study::find("norm/compare"));
  app.restore_beside(other);
  EXPECT_EQ(app.study().id, "position/sinusoidal");
  app.open(study::find("rope/rotation"));
  EXPECT_EQ(app.settings().real("base"), 777) << "this window had not touched it";
  app.open(study::find("rope/wavelengths"));
  EXPECT_EQ(app.settings().real("base"), 999) << "this window's own work stays";
}

TEST_F(SessionKeeperTest, OfManyKilledWindowsTheNewestOpensAndTheOthersAreOffered) {
  {
    OtherWindow one(file, "rope/rotation", "1111"), two(file, "rope/rotation", "2222"),
        three(file, "rope/rotation", "3333");
  }
  SessionKeeper keeper(file);
  App app;
  ASSERT_TRUE(keeper.restore(app));
  EXPECT_NE(app.notice().text.find("restores 2 more"), std::string::npos) << app.notice().text;
  restore_one(app);
  restore_one(app);
  std::vector<std::string> all = titles(app);
  std::ranges::sort(all);
  EXPECT_EQ(all, (std::vector<std::string>{"1111", "2222", "3333"}));
  keeper.finish(app, 1600, 1000);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2)
      << "session.toml and this window's mark";
}

TEST_F(SessionKeeperTest, AWindowBesideAnotherBeginsAfreshWithItsPreferences) {
  Session before = full_session();
  std::ofstream(file) << to_toml(before);
  OtherWindow first(file, "rope/rotation", "1111");
  EXPECT_FALSE(fs::exists(file)) << "the first one has it";
  SessionKeeper keeper(file);
  App app;
  EXPECT_FALSE(keeper.restore(app));
  EXPECT_EQ(app.preferences, before.preferences);
  EXPECT_EQ(app.recent(), before.recent);
  EXPECT_TRUE(titles(app).empty());
  EXPECT_EQ(app.notice().text, "");
}

/// Beside an open one too, a window goes on where the last closed one was; each session has one heir.
TEST_F(SessionKeeperTest, AThirdWindowTakesOverWhatTheSecondLeft) {
  OtherWindow first(file, "rope/rotation", "1111");
  {
    OtherWindow second(file, "position/sinusoidal", "2222");
    second.close();
  }
  {
    SessionKeeper keeper(file);
    App app;
    ASSERT_TRUE(keeper.restore(app));
    EXPECT_EQ(app.settings().real("base"), 2222);
    EXPECT_EQ(app.notice().text, "");
    EXPECT_FALSE(fs::exists(file)) << "nothing is left for a fourth";
    keeper.finish(app, 1600, 1000);
  }
  first.close();
}

TEST_F(SessionKeeperTest, TheSessionOfAnEarlierVersionComesBackAfterItsCrash) {
  Session before;
  before.document.live = side("rope/rotation", 3);
  std::ofstream(file) << to_toml(before);
  std::ofstream(folder / "running.999999999") << "1 0 1\n";
  SessionKeeper keeper(file);
  App app;
  ASSERT_TRUE(keeper.restore(app));
  EXPECT_TRUE(app.document().live == before.document.live);
  EXPECT_NE(app.notice().text.find("unexpected end"), std::string::npos) << app.notice().text;
}

TEST_F(SessionKeeperTest, WhatCouldBeReadOfADamagedSessionIsKept) {
  std::string text = to_toml(full_session());
  const std::string known = "study = \"norm/compare\"";
  text.replace(text.find(known), known.size(), "study = \"norm/of-tomorrow\"");
  std::ofstream(file) << text;
  {
    SessionKeeper keeper(file);
    App app;
    ASSERT_TRUE(keeper.restore(app));
    EXPECT_NE(app.notice().text.find("session.bad.toml"), std::string::npos);
    keeper.finish(app, full_session().width, full_session().height);  // it was only looked at
  }
  SessionKeeper keeper(file);
  App app;
  EXPECT_TRUE(keeper.restore(app));
  EXPECT_EQ(app.preferences.language, "zh");
  EXPECT_TRUE(app.document().live == full_session().document.live);
}

}  // namespace
}  // namespace orrery::gui::session_keeper_test
