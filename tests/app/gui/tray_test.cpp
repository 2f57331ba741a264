// The tray as a lecturer uses it: figures of several studies are collected, named, put in order, kept in one file and
// exported in one go.
#include "app/gui/tray.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/actions.h"
#include "app/gui/session.h"
#include "tests/app/gui/tray_fixture.h"

namespace orrery::gui::tray_test {
namespace {

namespace fs = std::filesystem;

using Titles = std::vector<std::string>;

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

}  // namespace
}  // namespace orrery::gui::tray_test
