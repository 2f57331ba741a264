// Where export writes: folders that are made, names that are announced, files that are there already.
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "app/export/export.h"
#include "app/gui/actions.h"
#include "app/gui/typed_path.h"
#include "tests/app/gui/export_fixture.h"

namespace orrery::gui::export_files_test {
namespace {

TEST_F(ExportTest, AFolderOfNoNameIsWhereTheProgramWasStarted) {
  EXPECT_EQ(whole_path(""), std::filesystem::current_path());
  EXPECT_EQ(whole_path("/a/../b"), "/b");
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder.clear();
  EXPECT_EQ(export_target(h.app.page, h.app.study()).parent_path(), std::filesystem::current_path());
  h.key(Key::s, true);
  h.frames(5);
  EXPECT_TRUE(h.ui.items.find("export-go"));
  EXPECT_EQ(h.app.notice().text, "");
}

TEST_F(ExportTest, NumbersAreWrittenAndAFolderThatIsNotThereIsMadeAndSaidBefore) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "csv";
  write_shown(h);
  for (const auto& file : export_targets(h.app.page, *h.app.result()))
    EXPECT_TRUE(std::filesystem::exists(file)) << file;

  h.app.page.folder = (folder / "missing" / "deep").string();
  h.app.page.ending = "pdf";
  h.key(Key::s, true);
  h.frames(3);
  h.item("export-makes-folder");
  h.click("export-go");
  h.settle();
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  EXPECT_TRUE(std::filesystem::exists(folder / "missing" / "deep" / "rope-rotation.pdf"));
}

TEST_F(ExportTest, WhatIsRefusedStaysInItsDialogAndIsNobodysDefault) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  std::ofstream(folder / "file") << "in the way";
  h.key(Key::s, true);
  h.frames(3);
  // A size is checked as it is typed, and what is none is not kept.
  h.click("size-field");
  h.type(" garbage");
  h.item("size-error");
  EXPECT_EQ(h.app.page.size, ExportPage().size);
  h.key(Key::enter);
  h.item("export-go");
  EXPECT_FALSE(h.app.exporting().running());
  h.click("size=slide");
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("size-error"));
  EXPECT_EQ(h.app.page.size, "slide");
  // A folder that cannot be one.
  h.click("name-field");
  h.type("/../file/below/name");
  h.key(Key::enter);
  h.frames(2);
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error) << h.app.notice().text;
  h.item("export-go");
  EXPECT_EQ(h.app.page.folder, folder.string());
  h.click("export-cancel");
}

TEST_F(ExportTest, ATypefaceThatIsNotThereIsSaidWithTheFile) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.font = "Nope Sans";
  h.app.write(folder / "turning.svg");
  h.settle();
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
  EXPECT_NE(h.app.notice().text.find("not installed, replaced by another typeface: Nope Sans"),
            std::string::npos)
      << h.app.notice().text;
  h.app.write(folder / "turning.csv");
  h.settle();
  EXPECT_EQ(h.app.notice().text.find("Nope Sans"), std::string::npos) << "numbers have none";
}

/// A folder that is there and takes no file, not even from who may do anything.
TEST_F(ExportTest, AFolderThatCannotBeWrittenStaysInTheDialog) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = "/proc";
  h.key(Key::s, true);
  h.frames(3);
  h.click("export-go");
  h.settle();
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error) << h.app.notice().text;
  h.item("export-go");
  EXPECT_TRUE(h.app.unwritten().empty()) << "nothing was begun";
  h.click("export-cancel");
}

/// What went wrong only while it was written, on a disk that is full, say: the folder need not be typed again.
TEST_F(ExportTest, WhereItCouldNotBeWrittenIsOfferedAgain) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.write("/proc/rope-rotation.pdf");
  h.settle();
  EXPECT_EQ(h.app.notice().kind, Notice::Kind::error) << h.app.notice().text;
  EXPECT_EQ(h.app.unwritten(), "/proc/rope-rotation.pdf");
  h.key(Key::s, true);
  h.frames(3);
  h.click("export-go");
  h.settle();
  h.item("export-go");  // it was tried there, and refused
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  h.click("export-cancel");
  h.app.write(folder / "rope-rotation.pdf");
  h.settle();
  EXPECT_TRUE(h.app.unwritten().empty()) << h.app.notice().text;
}

TEST_F(ExportTest, AnOpenedFigureIsWrittenAgainToItsFile) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  const auto file = folder / "figs" / "Turning.svg";
  h.app.page.size = "two-columns";
  h.app.page.ending = "svg";
  h.app.page.folder = (folder / "figs").string();
  h.app.page.name = "Turning";
  h.app.write(file);
  h.settle();

  Harness other;
  other.app.start_with(study::find("norm/compare"));
  other.settle();
  EXPECT_TRUE(other.take(file)) << other.app.notice().text;
  other.settle();
  EXPECT_EQ(export_target(other.app.page, other.app.study()), file);
  EXPECT_TRUE(recipe_size(other.app.page) == figure::parse_size("two-columns"));
  other.app.change_text("base", "777");
  other.settle();
  const auto again = [&] {
    WindowWishes wishes;
    Reach reach{other.app, wishes};
    perform(*find_action("export-again"), reach);
    return wishes.popup;
  };
  // Once it asks, with the question standing there; then it does it.
  EXPECT_EQ(again(), Popup::replace_export);
  EXPECT_EQ(exporter::read_recipe(file).find("base = 777"), std::string::npos);
  other.ui.keys.push_back({.key = Key::s, .ctrl = true, .alt = true});
  other.frames(4);
  other.item("export-go");
  other.key(Key::enter);
  other.settle();
  EXPECT_NE(exporter::read_recipe(file).find("base = 777"), std::string::npos) << other.app.notice().text;
  EXPECT_EQ(again(), Popup::none);
  other.settle();
}

TEST_F(ExportTest, AllNamesOfSeveralTablesAreAnnounced) {
  Harness h;
  h.app.start_with(study::find("position/sinusoidal"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "csv";
  ASSERT_GT(export_targets(h.app.page, *h.app.result()).size(), 1u);
  h.key(Key::s, true);
  h.frames(3);
  const ItemBox several = h.item("export-names");
  h.click("ending=pdf");
  h.frames(3);
  EXPECT_GT(several.high.y - several.low.y, 0);
  h.click("export-cancel");
}

TEST_F(ExportTest, TheEndingIsTheFormatsWhateverWasTyped) {
  ExportPage page;
  page.folder = folder.string();
  const study::Study& study = study::find("rope/rotation");
  page.name = "fig.svg";
  EXPECT_EQ(export_target(page, study), folder / "fig.pdf");
  page.name = "fig.v2";  // no ending of ours: part of the name
  EXPECT_EQ(export_target(page, study), folder / "fig.v2.pdf");
  page.name = "fig.pdf";
  EXPECT_EQ(export_target(page, study), folder / "fig.pdf");
}

TEST_F(ExportTest, WhatWillBeWrittenIsKnownBefore) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "npy";
  const std::vector<std::filesystem::path> named = export_targets(h.app.page, *h.app.result());
  EXPECT_EQ(named.size(), h.app.result()->result.tables.size());
  write_shown(h);
  std::set<std::filesystem::path> written;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) written.insert(entry.path());
  EXPECT_EQ(std::set(named.begin(), named.end()), written);
}

TEST_F(ExportTest, AnOldFileIsAskedForOnce) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  const auto file = folder / "rope-rotation.pdf";
  std::ofstream(file) << "old";
  h.key(Key::s, true);
  h.frames(3);
  h.click("export-go");
  h.settle();
  EXPECT_EQ(std::filesystem::file_size(file), 3u);
  h.click("export-go");
  h.settle();
  EXPECT_GT(std::filesystem::file_size(file), 1000u);
  EXPECT_EQ(h.app.recent().front(), file.string());
}

TEST_F(ExportTest, AgainToTheSameFileWithoutBeingAsked) {
  Harness h;
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.app.page.folder = folder.string();
  h.app.page.ending = "svg";
  const auto shift_click = [&] {
    compat::feed_modifiers(false, true);
    h.click("export");
    compat::feed_modifiers(false, false);
    h.settle();
  };
  shift_click();  // nothing was written yet: the dialog asks
  h.click("export-go");
  h.settle();
  const std::filesystem::path file = folder / "rope-rotation.svg";
  ASSERT_TRUE(std::filesystem::exists(file)) << h.app.notice().text;

  h.app.change_text("base", "777");
  h.settle();
  shift_click();
  EXPECT_FALSE(h.ui.items.find("export-go")) << "no dialog";
  EXPECT_NE(exporter::read_recipe(file).find("base = 777"), std::string::npos) << h.app.notice().text;

  // Another format or another study was not written before.
  h.app.page.ending = "png";
  EXPECT_FALSE(h.app.written_before());
  h.app.page.ending = "svg";
  EXPECT_TRUE(h.app.written_before());
  h.app.open(study::find("rope/wavelengths"));
  h.settle();
  shift_click();
  EXPECT_TRUE(h.ui.items.find("export-go"));
  EXPECT_FALSE(std::filesystem::exists(folder / "rope-wavelengths.svg"));
}

TEST_F(ExportTest, AnExportThatEndsLateDoesNotMoveTheFileThatWasOpenedMeanwhile) {
  Harness h;
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  const auto file = folder / "b" / "Turning.svg";
  h.app.write(file);
  h.settle();
  h.app.open(study::find("rope/rotation"));
  h.settle();
  std::filesystem::create_directories(folder / "a");
  h.app.write(folder / "a" / "first.pdf");
  h.app.take_file(file, std::chrono::seconds(20));  // done before the next update()
  h.settle();
  EXPECT_EQ(export_target(h.app.page, h.app.study()), file);
  EXPECT_TRUE(h.app.aims_at_its_file());
}

}  // namespace
}  // namespace orrery::gui::export_files_test
