// What the window remembers as text: all of it comes back, whatever became of the file.
#include "app/gui/session.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/gui/session_keeper.h"
#include "app/gui/tray.h"
#include "tests/app/gui/session_samples.h"
#include "tests/app/study/draw.h"

namespace orrery::gui::session_test {
namespace {

namespace fs = std::filesystem;
using session_samples::full_session;
using session_samples::pass;
using session_samples::SessionTest;
using session_samples::side;

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
