// What is written from the tray: its figures in one go, on one page or each on its own, and the one file that keeps them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "app/export/export.h"
#include "app/render/make.h"
#include "tests/app/gui/tray_fixture.h"

namespace orrery::gui::tray_export_test {
namespace {

namespace fs = std::filesystem;

TEST_F(TrayTest, AFolderOfNoNameIsWhereTheProgramWasStarted) {
  Harness h({1280, 800});
  collect_three(h);
  h.click("tray-export");
  h.frames(5);
  h.click("tray-folder");
  h.frames(3);
  h.key(static_cast<Key>('A'), true);
  h.key(Key::erase);
  h.frames(5);
  EXPECT_TRUE(h.ui.items.find("tray-folder"));
}

TEST_F(TrayTest, TheFileGivesTheSameBytesThroughTheJobsOfTheCommandLine) {
  Harness h({1280, 800});
  h.app.page.folder = folder.string();
  collect_three(h);
  h.app.write_tray(folder / "window", "pdf");
  wait_for_files(h);
  // What orrery batch does with the saved file.
  const auto saved = recipe::recipes_from_toml(recipe::to_toml(named(h.app.document().tray)), "lecture.toml");
  ASSERT_EQ(saved.size(), 3u);
  fs::create_directories(folder / "batch");
  for (const recipe::NamedRecipe& each : saved) {
    const fs::path file = folder / "batch" / (each.name + ".pdf");
    render::make(each.recipe, file);
    const std::string again = bytes_of(file), first = bytes_of(folder / "window" / (each.name + ".pdf"));
    EXPECT_FALSE(again.empty());
    const auto from = std::mismatch(again.begin(), again.end(), first.begin(), first.end()).first;
    EXPECT_TRUE(again == first) << each.name << ": " << again.size() << " and " << first.size()
                                << " bytes, not the same from " << from - again.begin()
                                << " on; said: " << h.app.notice().text;
  }
}

TEST_F(TrayTest, ADoomedFigureIsNamedAndTheOthersAreWritten) {
  Harness h({1280, 800});
  collect_three(h);
  fs::create_directories(folder / "out" / "Rotation.svg" / "in the way");
  h.app.write_tray(folder / "out", "svg");
  wait_for_files(h);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error);
  EXPECT_NE(h.app.notice().text.find("Rotation: "), std::string::npos) << h.app.notice().text;
  EXPECT_NE(h.app.notice().text.find("2 files"), std::string::npos) << h.app.notice().text;
  EXPECT_TRUE(fs::exists(folder / "out" / "Rotation-2.svg"));
}

TEST_F(TrayTest, AnExportCanBeStopped) {
  Harness h({1280, 800});
  collect_three(h);
  for (int i = 0; i < 60; ++i) duplicate_collected(h.app, 0);
  h.app.write_tray(folder / "out", "pdf");
  h.app.cancel_export();
  wait_for_files(h);
  EXPECT_NE(h.app.notice().text.find("cancelled"), std::string::npos) << h.app.notice().text;
  const auto written = std::distance(fs::directory_iterator(folder / "out"), fs::directory_iterator());
  EXPECT_LT(written, 63);
}

TEST_F(TrayTest, OldFilesAreAskedForOnce) {
  Harness h({1280, 800});
  h.app.page.folder = folder.string();
  collect_three(h);
  std::ofstream(folder / "lecture.toml") << "old";
  h.click("tray-save");
  h.frames(2);
  h.click("tray-go");
  EXPECT_EQ(bytes_of(folder / "lecture.toml"), "old");
  h.click("tray-go");
  EXPECT_NE(bytes_of(folder / "lecture.toml"), "old");
}

TEST_F(TrayTest, AllAreWrittenOnOnePageWhereThatIsAsked) {
  Harness h({1280, 800});
  h.app.page.folder = folder.string();
  collect_three(h);
  h.click("tray-export");
  h.frames(4);
  h.click("tray-ending=svg");
  h.frames(2);
  h.click("size=slide");
  h.click("tray-theme=light");
  h.frames(2);
  h.key(Key::enter);
  wait_for_files(h);
  ASSERT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const recipe::Recipe recipe =
        recipe::recipe_from_toml(exporter::read_recipe(entry.path()), entry.path().string());
    EXPECT_EQ(recipe.theme, "light");
    EXPECT_TRUE(recipe.size == figure::parse_size("slide"));
    EXPECT_NE(std::ranges::find(h.app.recent(), entry.path().string()), h.app.recent().end());
    ++files;
  }
  EXPECT_EQ(files, 3u);
}

TEST_F(TrayTest, EnterInItsOneFieldSavesAndTheFileIsProposedAgain) {
  Harness h({1280, 800});
  h.app.page.folder = folder.string();
  collect_three(h);
  h.click("tray-save");
  h.frames(4);
  h.key(Key::enter);
  h.frames(2);
  EXPECT_TRUE(fs::exists(folder / "lecture.toml")) << h.app.notice().text;
  EXPECT_EQ(h.app.tray_file, folder / "lecture.toml");

  Harness other({1280, 800});
  other.settle();
  fs::rename(folder / "lecture.toml", folder / "week.toml");
  EXPECT_TRUE(other.take(folder / "week.toml"));
  EXPECT_EQ(other.app.tray_file, folder / "week.toml");
}

TEST_F(TrayTest, OldTablesAreAskedForOnceToo) {
  Harness h({1280, 800});
  h.app.page.folder = folder.string();
  open(h, "norm/compare");
  h.key(static_cast<Key>('T'), true);
  h.frames(2);
  const fs::path old = folder / (named(h.app.document().tray).front().name + ".components.csv");
  std::ofstream(old) << "old";
  h.click("tray-export");
  h.frames(4);
  h.click("tray-ending=csv");
  h.frames(4);
  h.click("tray-go");
  wait_for_files(h);
  EXPECT_EQ(bytes_of(old), "old");
  h.click("tray-go");
  wait_for_files(h);
  EXPECT_NE(bytes_of(old), "old");
}

TEST_F(TrayTest, WhatMovesIsWrittenAsItStands) {
  Harness h({1280, 800});
  collect_three(h);
  recipe::Recipe moving = *collected(h.app.document().tray).front().recipe;
  moving.animation.emplace();
  moving.animation->parameter = "position";
  moving.animation->to = 10;
  moving.animation->frames = 2;
  const recipe::NamedRecipe one{"turning", moving, "Turning"};
  h.app.edit("Collect", {}, [&](Document& d) { d.tray = with_recipes(d.tray, std::span(&one, 1)); });
  h.app.write_tray(folder / "out", "pdf");
  wait_for_files(h);
  EXPECT_TRUE(fs::exists(folder / "out" / "Turning.pdf")) << h.app.notice().text;
}

}  // namespace
}  // namespace orrery::gui::tray_export_test
