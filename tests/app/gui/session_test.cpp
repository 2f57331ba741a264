// What the window remembers: all of it, across a clean end and a crash, whatever became of the file.
#include "app/gui/session.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/export/export.h"
#include "app/gui/left_windows.h"
#include "app/gui/session_keeper.h"
#include "app/gui/tray.h"
#include "tests/app/study/draw.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::session_test {
namespace {

namespace fs = std::filesystem;

class SessionTest : public testing::Test {
 protected:
  const support::TemporaryFolder folder;
  fs::path file = folder / "session.toml";
  fs::path own = folder / ("session." + std::to_string(::getpid()) + ".toml");
  static std::string text_of(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

Side side(const char* id, std::uint64_t seed) {
  const study::Study& s = study::find(id);
  return {&s, study::drawn(s, seed), study::DeviceChoice::ref};
}

/// Nothing in it is as at the first start.
Session full_session() {
  Session s;
  Document& d = s.document;
  d.live = side("rope/rotation", 3);
  d.view.panels = {{figure::Range{-1.0 / 3, 2}, std::nullopt}};
  d.view.hidden = {{0, 2}};
  d.pinned = side("norm/compare", 4);
  d.together = figure::CompareMode::difference;
  recipe::Recipe recipe;
  recipe.study = d.live.study;
  recipe.settings = d.live.settings;
  const recipe::NamedRecipe figure{"", recipe, "A \"title\"\nin two lines, 标题"};
  d.tray = with_recipes(d.tray, std::span(&figure, 1));
  d.panes = {
      .list = 200.5f, .inspector = 400, .list_shown = false, .inspector_shown = false, .tray_shown = true};
  d.panes.folded = {"checks"};
  d.locked = {"rope/rotation.base"};
  d.motions["rope/rotation.position"] = {.speed = 2, .loop = Loop::once, .from = 1.5, .to = 9};
  s.left[&study::find("norm/compare")] = study::drawn(study::find("norm/compare"), 5);
  s.preferences = {.theme = "light", .language = "zh", .zoom = 1.21};
  s.page.ending = "png";
  s.page.size = "slide";
  s.page.theme = "dark";
  s.page.dpi = 150;
  s.page.title = s.page.transparent = true;
  s.page.own_title = "Own";
  s.page.font = "TeX Gyre Pagella";
  s.page.math_font = "TeX Gyre Pagella Math";
  s.page.name = "fig-1";
  s.page.folder = "~/a folder";
  s.page.frames = 96;
  s.page.fps = 12;
  s.page.language = language::Language::zh;
  s.recent = {"/a/b.toml", "/c 'd'.pdf"};
  s.width = 1280;
  s.height = 800;
  return s;
}

/// Trays are compared by identity: here by what is in them.
void expect_same(const Session& a, Session b) {
  const auto x = collected(a.document.tray), y = collected(b.document.tray);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].title, y[i].title);
    EXPECT_EQ(recipe::to_toml(*x[i].recipe), recipe::to_toml(*y[i].recipe));
  }
  b.document.tray = a.document.tray;
  EXPECT_TRUE(a.document.live == b.document.live);
  EXPECT_TRUE(a.document.view == b.document.view);
  EXPECT_TRUE(a.document.pinned == b.document.pinned);
  EXPECT_TRUE(a.document.panes == b.document.panes);
  EXPECT_TRUE(a.document.motions == b.document.motions);
  EXPECT_TRUE(a.document == b.document);
  EXPECT_TRUE(a.preferences == b.preferences);
  EXPECT_TRUE(a.page == b.page);
  EXPECT_TRUE(a == b);
}

TEST_F(SessionTest, AllOfItComesBack) {
  const Session session = full_session();
  const std::string text = to_toml(session);
  SCOPED_TRACE(text);
  const ReadSession read = session_from_toml(text);
  EXPECT_EQ(read.fault, "");
  expect_same(session, read.session);
  EXPECT_EQ(to_toml(read.session), text);
  // A first start is a session too.
  const Session first;
  EXPECT_TRUE(session_from_toml(to_toml(first)).session == first);
}

TEST_F(SessionTest, EveryStudyComesBackWithAnySettings) {
  Session session;
  for (const study::Study* s : study::studies()) session.left[s] = study::drawn(*s, 11);
  const ReadSession read = session_from_toml(to_toml(session));
  EXPECT_EQ(read.fault, "");
  EXPECT_TRUE(read.session.left == session.left);
}

TEST_F(SessionTest, WhatIsBrokenIsAsAtTheFirstStartAndTheRestStays) {
  std::string text = to_toml(full_session());
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, text.npos) << from;
    text.replace(at, from.size(), to);
  };
  replace("study = \"norm/compare\"", "study = \"norm/of-tomorrow\"");
  replace("zoom = 1.21", "zoom = 700");
  const ReadSession read = session_from_toml(text);
  EXPECT_NE(read.fault.find("norm/of-tomorrow"), std::string::npos) << read.fault;
  EXPECT_EQ(read.session.preferences.zoom, 1);
  EXPECT_EQ(read.session.preferences.theme, "light");
  EXPECT_TRUE(read.session.document.live == full_session().document.live);
}

TEST_F(SessionTest, ForeignAndDamagedFilesAreKeptAsideAndSaidInOneLine) {
  for (const std::string& text :
       {std::string("this is no TOML"), std::string(), std::string("theme = \"dark\"\n"),
        std::string(300, '['), std::string("session = 2\n"),
        std::string("session = 1\n[document]\nlive = 3\ntray = 7\n"), std::string("\0\xff", 2),
        "x" + std::string(100'000, '.') + "y = 1\n"}) {
    fs::remove(folder / "session.bad.toml");
    std::ofstream(file) << text;
    const ReadSession read = read_session(file);
    EXPECT_NE(read.fault, "") << text.substr(0, 40);
    EXPECT_EQ(read.fault.find('\n'), std::string::npos) << read.fault;
    EXPECT_EQ(text_of(folder / "session.bad.toml"), text);
    EXPECT_FALSE(fs::exists(file));
  }
  EXPECT_EQ(read_session(folder / "not-there.toml").fault, "");
}

TEST_F(SessionTest, ThousandsOfDamagedFilesAreReadWithoutACrash) {
  const std::string whole = to_toml(full_session());
  std::uint32_t state = 5;
  const auto dice = [&](std::size_t n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::size_t>(state >> 8) % n;
  };
  for (int round = 0; round < 2000; ++round) {
    std::string text = whole;
    for (std::size_t blows = 1 + dice(3); blows > 0; --blows) {
      const std::size_t at = dice(text.size());
      if (dice(2))
        text[at] = static_cast<char>(dice(256));
      else
        text.erase(at, 1 + dice(30));
    }
    const ReadSession read = session_from_toml(text);
    EXPECT_EQ(read.fault.find('\n'), std::string::npos);
    EXPECT_GE(read.session.preferences.zoom, 0.5);
  }
}

/// Frames of a window that is idle but for its clock.
void pass(SessionKeeper& keeper, App& app, double& now, double seconds) {
  for (const double end = now + seconds; now < end; now += 0.25) keeper.poll(now, app, 1600, 1000);
  while (!keeper.up_to_date()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    keeper.poll(now, app, 1600, 1000);
  }
}

TEST_F(SessionTest, AChangeIsOnTheDiskWithinFiveSecondsAndNothingIsWrittenWithoutOne) {
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

TEST_F(SessionTest, TheEndIsWrittenAtOnceAndComesBack) {
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

TEST_F(SessionTest, ACrashLosesNothingAndUndoIsAFreshStart) {
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

TEST_F(SessionTest, ASessionThatKillsTheProgramAgainIsPutAside) {
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

/// Another window beside this one: a process of its own that works, waits to be told, and then ends well or is killed.
class OtherWindow {
 public:
  OtherWindow(const fs::path& file, const char* study, const char* base) {
    EXPECT_EQ(::pipe(ready_), 0);
    EXPECT_EQ(::pipe(told_), 0);
    process_ = ::fork();
    if (process_ == 0) live(file, study, base);
    char ignored = 0;
    EXPECT_EQ(::read(ready_[0], &ignored, 1), 1);
  }
  ~OtherWindow() { kill(); }
  OtherWindow(const OtherWindow&) = delete;
  OtherWindow& operator=(const OtherWindow&) = delete;
  void close() {
    EXPECT_EQ(::write(told_[1], "c", 1), 1);
    wait();
  }
  void kill(bool bury = true) {
    if (process_ > 0) ::kill(process_, SIGKILL);
    siginfo_t ended{};
    if (!bury && process_ > 0) ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT);
    if (bury) wait();
  }

 private:
  [[noreturn]] void live(const fs::path& file, const char* study, const char* base) {
    {
      SessionKeeper keeper(file);
      App app;
      keeper.restore(app);
      app.open(study::find(study));
      app.change_text("base", base);
      recipe::Recipe recipe;
      recipe.study = &app.study();
      recipe.settings = app.settings();
      const recipe::NamedRecipe figure{"", recipe, base};
      app.edit("Collect", {}, [&](Document& d) { d.tray = with_recipes(d.tray, std::span(&figure, 1)); });
      double now = 0;
      pass(keeper, app, now, SessionKeeper::beginning + 5);
      char told = 0;
      if (::write(ready_[1], "r", 1) != 1 || ::read(told_[0], &told, 1) != 1) ::_exit(1);
      keeper.finish(app, 1600, 1000);
    }
    ::_exit(0);
  }
  void wait() {
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  int ready_[2]{}, told_[2]{};
  pid_t process_ = 0;
};

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

TEST_F(SessionTest, WindowsSideBySideHaveASessionEachAndTheKilledOneComesBack) {
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
TEST_F(SessionTest, AWindowThatNobodyBuriedIsDead) {
  OtherWindow other(file, "rope/rotation", "1111");
  other.kill(false);
  SessionKeeper keeper(file);
  App app;
  ASSERT_TRUE(keeper.restore(app));
  EXPECT_EQ(app.settings().real("base"), 1111);
}

/// A fault in a frame is no close.
TEST_F(SessionTest, WhatWasLeftComesBack) {
  {
    SessionKeeper keeper(file);
    App app;
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

TEST_F(SessionTest, AWindowIsRestoredWithItsSettingsOfOtherStudies) {
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

TEST_F(SessionTest, OfManyKilledWindowsTheNewestOpensAndTheOthersAreOffered) {
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

TEST_F(SessionTest, AWindowBesideAnotherBeginsAfreshWithItsPreferences) {
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

TEST_F(SessionTest, TheSessionOfAnEarlierVersionComesBackAfterItsCrash) {
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

TEST_F(SessionTest, AWrongSizeIsNotKept) {
  Session wrong;
  wrong.page.size = "12x8garbage";
  const std::string text = to_toml(wrong);
  EXPECT_EQ(text.find("garbage"), std::string::npos) << text;
  // Earlier versions kept it.
  const Session first;
  std::string old = to_toml(first);
  const std::string usual = "size = '" + ExportPage().size + "'";
  ASSERT_NE(old.find(usual), std::string::npos) << old;
  old.replace(old.find(usual), usual.size(), "size = '12x8garbage'");
  const ReadSession read = session_from_toml(old);
  EXPECT_EQ(read.fault, "");
  EXPECT_EQ(read.session.page.size, ExportPage().size);
}

TEST_F(SessionTest, WaysToCompareAreSpelledAsInRecipes) {
  Session session = full_session();
  for (const figure::CompareMode mode :
       {figure::CompareMode::side_by_side, figure::CompareMode::overlay, figure::CompareMode::difference}) {
    session.document.together = mode;
    EXPECT_EQ(session_from_toml(to_toml(session)).session.document.together, mode);
  }
  session.document.together = figure::CompareMode::side_by_side;
  std::string old = to_toml(session);
  const std::size_t at = old.find("together = 'side-by-side'");
  ASSERT_NE(at, old.npos) << old;
  old.replace(at, 25, "together = 'side by side'");  // as earlier versions wrote it
  const ReadSession read = session_from_toml(old);
  EXPECT_EQ(read.fault, "");
  EXPECT_EQ(read.session.document.together, figure::CompareMode::side_by_side);
  EXPECT_TRUE(read.session.page == session.page);
}

TEST_F(SessionTest, APageOfAnEarlierVersionOpens) {
  const ReadSession read = session_from_toml(
      "session = 1\n[export]\nending = 'png'\nsize = 'slide'\ntheme = 'dark'\ndpi = 150\ntitle = "
      "false\ntransparent = "
      "true\nown_title = 'Own'\nfont = 'A'\nmath_font = 'B'\nname = 'n'\nfolder = 'f'\nframes = 96\nfps = "
      "12.0\n"
      "language = 'zh'\n");
  EXPECT_EQ(read.fault, "");
  ExportPage page;
  page.ending = "png";
  page.size = "slide";
  page.theme = "dark";
  page.dpi = 150;
  page.transparent = true;
  page.own_title = "Own";
  page.font = "A";
  page.math_font = "B";
  page.name = "n";
  page.folder = "f";
  page.frames = 96;
  page.fps = 12;
  page.language = language::Language::zh;
  EXPECT_TRUE(read.session.page == page);
  EXPECT_NE(session_from_toml("session = 1\n[export]\ntheme = 'neon'\n").fault, "");
  EXPECT_NE(session_from_toml("session = 1\n[export]\ndpi = 4800\n").fault, "");
}

TEST_F(SessionTest, AFolderThatCannotBeWrittenIsSaidOnce) {
  // A file where the folder should be: nobody, not even root, can write below it.
  std::ofstream(folder / "state") << "in the way";
  const fs::path below = folder / "state" / "session.toml";
  SessionKeeper keeper(below);
  App app;
  keeper.restore(app);
  double now = 0;
  pass(keeper, app, now, 5);
  keeper.poll(now, app, 1600, 1000);
  EXPECT_NE(app.notice().text.find("not be remembered"), std::string::npos) << app.notice().text;
  app.hush();
  for (int i = 0; i < 5; ++i) {
    app.edit("Width", {}, [&](Document& d) { d.panes.list = static_cast<float>(200 + i); });
    pass(keeper, app, now, 100);
  }
  EXPECT_EQ(app.notice().text, "");
}

TEST_F(SessionTest, NothingIsKeptWhereNothingIsAskedFor) {
  SessionKeeper keeper{fs::path()};
  App app;
  EXPECT_FALSE(keeper.restore(app));
  EXPECT_GT(keeper.poll(0, app, 1, 1), 1e9);
  keeper.finish(app, 1, 1);
}

}  // namespace
}  // namespace orrery::gui::session_test
