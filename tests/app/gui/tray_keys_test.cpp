// The tray without a mouse: its figures by keys alone, and Enter that is held.
#include <filesystem>

#include "tests/app/gui/tray_fixture.h"

namespace orrery::gui::tray_keys_test {
namespace {

namespace fs = std::filesystem;

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

TEST_F(TrayTest, EnterOpensAFigureAfterAnotherWasDragged) {
  Harness h({1280, 800});
  collect_three(h);
  const ItemBox first = h.item("tray:0"), last = h.item("tray:2");
  h.drag(first.centre(), {last.high.x + 2, first.centre().y});
  ASSERT_EQ(titles(h)[0], "Rotation 2");
  h.ui.focus.set("tray:0");
  h.frames(2);
  h.key(Key::enter);
  h.settle();
  EXPECT_EQ(h.app.history().undo_what(), "Open Rotation 2");
}

}  // namespace
}  // namespace orrery::gui::tray_keys_test
