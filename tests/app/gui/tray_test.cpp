// The tray as a lecturer uses it: figures of several studies are collected, named, put in order, kept in one file and
// exported in one go.
#include "app/gui/tray.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/export/export.h"
#include "app/gui/actions.h"
#include "app/gui/session.h"
#include "app/gui/typed_path.h"
#include "tests/app/gui/harness.h"
#include "tests/support/temporary_folder.h"

namespace orrery::gui::tray_test {
namespace {

namespace fs = std::filesystem;

class TrayTest : public testing::Test {
 protected:
  const support::TemporaryFolder folder;
  static std::string bytes_of(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static std::vector<std::string> titles(const Harness& h) {
    std::vector<std::string> all;
    for (const Collected& each : collected(h.app.document().tray)) all.push_back(each.title);
    return all;
  }
  static void wait_for_files(Harness& h) {
    while (h.app.exporting().running()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      h.frames();
    }
    h.frames(2);
  }
  static void open(Harness& h, const char* id) {
    h.app.open(study::find(id));
    h.settle();
  }
};

using Titles = std::vector<std::string>;

/// Three figures of two studies, in a tray that is shown.
void collect_three(Harness& h) {
  h.app.open(study::find("rope/rotation"));
  h.settle();
  h.key(static_cast<Key>('T'), true);
  h.app.change_text("base", "777");
  h.settle();
  h.key(static_cast<Key>('T'), true);
  h.app.open(study::find("norm/compare"));
  h.settle();
  h.key(static_cast<Key>('T'), true);
  h.frames(2);
}

TEST_F(TrayTest, TheMenusTitleIsTypedAtOnce) {
  Harness h({1280, 800});
  collect_three(h);
  h.click("tray:1", 1);
  h.frames(3);
  h.click("tray-menu:title");
  h.frames(5);
  h.type("Lecture");
  h.key(Key::enter);
  EXPECT_EQ(titles(h)[1], "Lecture");
}

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

TEST_F(TrayTest, ALectureIsCollectedNamedOrderedSavedExportedAndOpenedAgain) {
  std::vector<std::string> recipes;
  {
    Harness h({1280, 800});
    h.app.page.folder = folder.string();
    collect_three(h);
    open(h, "activation/functions");
    h.click("tray-collect");
    h.app.open(study::find("rope/rotation"));
    h.app.change_text("pairing", "half");
    h.settle();
    h.click("tray-collect");
    ASSERT_EQ(titles(h), (Titles{"Rotation", "Rotation 2", std::string(study::find("norm/compare").title),
                                 std::string(study::find("activation/functions").title), "Rotation 3"}));
    // A title is typed where it stands.
    h.click("tray-name:1");
    h.frames(5);
    h.type("Small base, 小");
    h.key(Key::enter);
    ASSERT_EQ(titles(h)[1], "Small base, 小");
    // The fourth is dragged to the front of the third.
    const ItemBox third = h.item("tray:2"), fourth = h.item("tray:3");
    h.drag(fourth.centre(), {third.low.x - 2, third.centre().y});
    EXPECT_EQ(titles(h)[2], study::find("activation/functions").title);
    EXPECT_EQ(titles(h)[3], study::find("norm/compare").title);

    h.click("tray-save");
    h.frames(2);
    h.click("tray-go");
    EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
    h.click("tray-export");
    h.frames(2);
    h.click("tray-ending=svg");
    h.click("tray-go");
    wait_for_files(h);
    EXPECT_EQ(h.app.notice().kind, Notice::Kind::done) << h.app.notice().text;
    for (const Collected& each : collected(h.app.document().tray))
      recipes.push_back(recipe::to_toml(*each.recipe));
  }
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) files += entry.path().extension() == ".svg";
  EXPECT_EQ(files, 5u);
  EXPECT_TRUE(fs::exists(folder / "Small-base-小.svg"));

  Harness h({1280, 800});
  h.settle();
  h.take(folder / "lecture.toml");
  h.settle();
  EXPECT_EQ(titles(h),
            (Titles{"Rotation", "Small base, 小", std::string(study::find("activation/functions").title),
                    std::string(study::find("norm/compare").title), "Rotation 3"}));
  for (std::size_t i = 0; i < recipes.size(); ++i)
    EXPECT_EQ(recipe::to_toml(*collected(h.app.document().tray)[i].recipe), recipes[i]);
  EXPECT_TRUE(h.app.document().panes.tray_shown);
  EXPECT_EQ(&h.app.study(), &study::find("rope/rotation"));
  // One step back and the window is as before the file.
  EXPECT_TRUE(h.app.undo());
  EXPECT_TRUE(collected(h.app.document().tray).empty());
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

TEST_F(TrayTest, AClickBringsAFigureBack) {
  Harness h({1280, 800});
  collect_three(h);
  h.app.page.theme = "dark";
  h.click("tray:1");
  h.settle();
  EXPECT_EQ(&h.app.study(), &study::find("rope/rotation"));
  EXPECT_EQ(h.app.settings().real("base"), 777);
  EXPECT_EQ(h.app.page.theme, "print");
  EXPECT_EQ(h.app.history().undo_what(), "Open Rotation 2");
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(&h.app.study(), &study::find("norm/compare"));
}

TEST_F(TrayTest, TheKeyboardDoesAllOfIt) {
  Harness h({1280, 800});
  collect_three(h);
  h.ui.focus.set("tray:0");
  h.frames(2);
  h.key(Key::right, true);
  EXPECT_EQ(titles(h)[1], "Rotation");
  EXPECT_TRUE(h.ui.focus.on("tray:1"));
  h.key(Key::d, true);
  EXPECT_EQ(titles(h).size(), 4u);
  h.key(Key::erase);
  EXPECT_EQ(titles(h)[1], "Rotation 3");
  h.key(Key::f2);
  h.frames(5);
  h.type("Named");
  h.key(Key::enter);
  EXPECT_EQ(titles(h)[1], "Named");
  h.key(Key::enter);
  h.settle();
  EXPECT_EQ(h.app.history().undo_what(), "Open Named");
  while (h.app.undo()) continue;
  EXPECT_TRUE(titles(h).empty());
}

/// This dialog begins in a field, which takes no repeat for an answer either.
TEST_F(TrayTest, EnterThatIsHeldOpensTheDialogAndWritesNothing) {
  Harness h({1280, 800});
  h.app.page.folder = folder.string();
  collect_three(h);
  h.key(Key::p, true);
  h.frames(3);
  h.type("export all of the tray");
  h.hold({Key::enter});
  h.settle();
  h.item("tray-go");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the field stays open";
  EXPECT_TRUE(fs::is_empty(folder.path()));
  h.key(Key::enter);
  wait_for_files(h);
  EXPECT_FALSE(fs::is_empty(folder.path())) << h.app.notice().text;
  EXPECT_FALSE(h.ui.items.find("tray-go"));
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

TEST_F(TrayTest, ThumbnailsAreThePagesAndAreKept) {
  Harness h({1280, 800});
  collect_three(h);
  while (h.app.thumbnails.busy()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    h.frames();
  }
  h.frames(2);
  const Collected& first = collected(h.app.document().tray)[0];
  const auto thumbnail = h.app.thumbnails.find(first.recipe, 126, 82);
  ASSERT_NE(thumbnail, nullptr);
  EXPECT_EQ(english(thumbnail->error), "");
  EXPECT_LE(thumbnail->image.width, 126);
  EXPECT_LE(thumbnail->image.height, 82);
  EXPECT_TRUE(thumbnail->image.width >= 125 || thumbnail->image.height >= 81) << "as large as fits";
  // Paper with ink on it.
  const auto& pixels = *thumbnail->image.pixels;
  EXPECT_EQ(pixels.front(), figure::print_theme().background);
  EXPECT_GT(
      std::count_if(pixels.begin(), pixels.end(), [&](figure::Color c) { return !(c == pixels.front()); }),
      200);
  // Another order or another title asks for no new one.
  move_collected(h.app, 0, 2);
  retitle(h.app, 2, "Other");
  h.frames(2);
  EXPECT_FALSE(h.app.thumbnails.busy());
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

TEST_F(TrayTest, AnOpenFigureThatChangedIsReplaced) {
  Harness h({1280, 800});
  collect_three(h);
  h.click("tray:1");
  h.settle();
  h.item("tray-open");
  EXPECT_FALSE(h.ui.items.find("tray-changed"));
  EXPECT_FALSE(h.ui.items.find("tray-replace"));
  const auto key = find_action("tray-replace");
  const auto why = [&] {
    WindowWishes wishes;
    const Reach reach{h.app, wishes};
    return std::string(key->why_not(reach));
  };
  EXPECT_EQ(why(), "the open figure of the tray is what is shown");
  h.app.change_text("base", "4321");
  h.settle();
  h.item("tray-changed");
  EXPECT_EQ(why(), "");
  h.click("tray-replace");
  h.settle();
  const auto all = [&] { return collected(h.app.document().tray); };
  EXPECT_EQ(all().size(), 3u);
  EXPECT_EQ(titles(h)[1], "Rotation 2");
  EXPECT_EQ(all()[1].recipe->settings.real("base"), 4321);
  EXPECT_FALSE(h.ui.items.find("tray-changed"));
  // A page alone is a change too; the session remembers which one is open.
  h.app.page.theme = "dark";
  EXPECT_TRUE(opened_changed(h.app));
  h.app.page.theme = "print";
  EXPECT_FALSE(opened_changed(h.app));
  const ReadSession read = session_from_toml(to_toml(h.app.session()));
  ASSERT_EQ(read.fault, "");
  EXPECT_EQ(read.session.document.opened, collected(read.session.document.tray)[1].recipe);
  EXPECT_TRUE(h.app.undo());
  EXPECT_EQ(all()[1].recipe->settings.real("base"), 777);
  EXPECT_TRUE(opened_changed(h.app));
}

TEST_F(TrayTest, TheHeadOfANarrowTrayHasItsPartsSideBySide) {
  for (const ImVec2 size : {ImVec2(640, 480), ImVec2(760, 480), ImVec2(1280, 800)}) {
    Harness h(size);
    collect_three(h);
    h.click("tray:1");
    h.app.change_text("base", "4321");
    h.settle();
    float right = 19;  // the margin
    if (const auto words = h.ui.items.find("head:tray")) right = words->high.x;
    for (const char* name : {"tray-replace", "tray-collect", "tray-save", "tray-export", "tray-hide"}) {
      EXPECT_GT(h.item(name).low.x, right) << name << " at " << size.x;
      right = h.item(name).high.x;
    }
    EXPECT_LE(right, size.x);
    EXPECT_TRUE(size.x < 1280 || h.ui.items.find("head:tray"));
  }
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

TEST(TypedPathTest, HomeIsWhatAShellMakesOfIt) {
  const char* before = std::getenv("HOME");
  const std::string kept = before ? before : "";
  setenv("HOME", "/home/ada/", 1);
  EXPECT_EQ(typed_path("~"), "/home/ada");
  EXPECT_EQ(typed_path(" ~/notes/a.pdf "), "/home/ada/notes/a.pdf");
  EXPECT_EQ(typed_path("$HOME/notes"), "/home/ada/notes");
  EXPECT_EQ(typed_path("${HOME}/notes"), "/home/ada/notes");
  EXPECT_EQ(typed_path("~grace/notes"), "~grace/notes");
  EXPECT_EQ(typed_path("$HOMES"), "$HOMES");
  EXPECT_EQ(typed_path("a~/b"), "a~/b");
  EXPECT_EQ(shown_path("/home/ada/notes"), "~/notes");
  EXPECT_EQ(shown_path("/home/adam"), "/home/adam");
  setenv("HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace orrery::gui::tray_test
