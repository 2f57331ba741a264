// The window is closed while a file is on its way to the disk.
#include "app/gui/leaving.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/app/gui/export_fixture.h"

namespace orrery::gui::leaving_test {
namespace {

/// An animation that takes longer than a frame.
void begin_export(Harness& h, const std::filesystem::path& target, int frames = 6) {
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.ending = "webp";
  h.app.page.size = "column";
  h.app.page.dpi = 40;
  h.app.page.frames = frames;
  h.app.write(target);
  ASSERT_TRUE(h.app.exporting().running());
}

/// Frames until nothing is on its way, or the window has gone.
void go_on(Harness& h, Leaving& leaving) {
  leaving.update(h.app);
  while (!leaving.gone() && h.app.exporting().running()) {
    h.frames();
    leaving.update(h.app);
  }
}

TEST_F(ExportTest, AClosedWindowGoesAtOnceWhereNothingIsWritten) {
  Harness h;
  Leaving leaving;
  leaving.update(h.app);
  EXPECT_FALSE(leaving.gone());
  leaving.ask(h.app, 10);
  EXPECT_TRUE(leaving.gone());
}

TEST_F(ExportTest, AClosedWindowWaitsForTheFileThatIsWritten) {
  Harness h;
  Leaving leaving;
  begin_export(h, folder / "turning.webp");
  leaving.ask(h.app, 10);
  leaving.update(h.app);
  ASSERT_TRUE(leaving.waits()) << "the file is not there yet";
  EXPECT_FALSE(leaving.gone());
  EXPECT_TRUE(h.app.notice().text.starts_with("this window closes when all is written"))
      << h.app.notice().text;
  h.app.hush();
  leaving.update(h.app);
  EXPECT_FALSE(h.app.notice().text.empty()) << "it is still so";
  go_on(h, leaving);
  EXPECT_TRUE(leaving.gone());
  EXPECT_TRUE(std::filesystem::exists(folder / "turning.webp"));
}

TEST_F(ExportTest, AClosedWindowStaysWhereTheFileCouldNotBeWritten) {
  Harness h;
  Leaving leaving;
  std::filesystem::create_directories(folder / "turning.webp" / "in the way");
  begin_export(h, folder / "turning.webp", 2);
  leaving.ask(h.app, 10);
  go_on(h, leaving);
  EXPECT_FALSE(leaving.gone());
  EXPECT_FALSE(leaving.waits());
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error) << h.app.notice().text;
  leaving.ask(h.app, 10);
  EXPECT_TRUE(leaving.gone()) << "it was seen";
}

TEST_F(ExportTest, AClosedWindowStaysWhereTheExportIsStopped) {
  Harness h;
  Leaving leaving;
  begin_export(h, folder / "turning.webp", 2000);
  leaving.ask(h.app, 10);
  h.app.cancel_export();
  go_on(h, leaving);
  EXPECT_FALSE(leaving.gone());
  EXPECT_FALSE(leaving.waits());
  EXPECT_FALSE(std::filesystem::exists(folder / "turning.webp"));
}

TEST_F(ExportTest, AWindowThatIsClosedTwiceGoesAtOnceUnlessItIsADoubleClick) {
  Harness h;
  Leaving leaving;
  begin_export(h, folder / "turning.webp", 2000);
  leaving.ask(h.app, 10);
  leaving.ask(h.app, 10.2);
  EXPECT_TRUE(leaving.waits()) << "a double click";
  leaving.ask(h.app, 11.1);
  EXPECT_TRUE(leaving.gone());
  const std::optional<ExportReport> report = h.app.end_export();
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->cancelled);
  EXPECT_FALSE(h.app.exporting().running());
  EXPECT_FALSE(h.app.end_export());
}

TEST_F(ExportTest, AStillFigureThatIsLeftStaysWhatItWas) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const std::filesystem::path target = folder / "large.png";
  std::ofstream(target) << "what stood there";
  h.app.page.dpi = 600;
  h.app.write(target);
  const std::optional<ExportReport> report = h.app.end_export();
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->cancelled);
  EXPECT_TRUE(report->files.empty());
  std::ifstream file(target);
  std::string kept;
  std::getline(file, kept);
  EXPECT_EQ(kept, "what stood there");
}

TEST_F(ExportTest, AClosedWindowWaitsForWhateverIsOnItsWayToTheDisk) {
  Harness h;
  Leaving leaving;
  h.settle();
  auto first = h.app.errands.begin(), second = h.app.errands.begin();
  leaving.ask(h.app, 10);
  leaving.update(h.app);
  EXPECT_TRUE(leaving.waits());
  first.reset();
  leaving.update(h.app);
  EXPECT_TRUE(leaving.waits());
  second.reset();
  leaving.update(h.app);
  EXPECT_TRUE(leaving.gone());
}

TEST_F(ExportTest, AClosedWindowStaysWhereThatCouldNotBeDone) {
  Harness h;
  Leaving leaving;
  h.settle();
  auto errand = h.app.errands.begin();
  leaving.ask(h.app, 10);
  errand->fail();
  errand.reset();
  leaving.update(h.app);
  EXPECT_FALSE(leaving.waits());
  EXPECT_FALSE(leaving.gone());
  leaving.ask(h.app, 10);
  EXPECT_TRUE(leaving.gone()) << "it was seen";
}

TEST_F(ExportTest, WhatCouldNotBeDoneBeforeKeepsNoWindowOpen) {
  Harness h;
  Leaving leaving;
  h.settle();
  h.app.errands.begin()->fail();
  begin_export(h, folder / "turning.webp", 2);
  leaving.ask(h.app, 10);
  go_on(h, leaving);
  EXPECT_TRUE(leaving.gone());
}

TEST_F(ExportTest, TheKeyThatClosesTheWindowDoesSoOnceWhileItIsHeld) {
  Harness h;
  h.settle();
  int closed = 0;
  h.after_frame = [&] { closed += h.wishes.close; };
  h.hold({Key{'Q'}, true});
  EXPECT_EQ(closed, 1);
}

}  // namespace
}  // namespace orrery::gui::leaving_test
