// Lines of help for those who have no mouse: they come to what the keyboard rests on.
#include <imgui_internal.h>  // the public part does not say which windows are open

#include <string>

#include "tests/app/gui/harness.h"

namespace orrery::gui::help_test {
namespace {

const ImGuiWindow* tip() {
  const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
  return window && window->Active && !window->Hidden ? window : nullptr;
}

class HelpTest : public testing::Test {
 protected:
  HelpTest() {
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
  }
  void wait() { h.frames(40); }  // two thirds of a second

  Harness h{{1280, 800}};
};

TEST_F(HelpTest, ComesToTheControlThatTheKeyboardRestsOn) {
  for (const char* name : {"theme", "try:0", "parameter:base", "source", "randomise"}) {
    tab_to(h, name);
    EXPECT_EQ(tip(), nullptr) << name << ": it waits a little";
    wait();
    ASSERT_NE(tip(), nullptr) << name;
    const ItemBox box = h.item(name);
    EXPECT_TRUE(tip()->Pos.y >= box.high.y || tip()->Pos.y + tip()->Size.y <= box.low.y)
        << name << ": it stands on what it is about";
  }
  h.key(Key::escape);
  wait();
  EXPECT_EQ(tip(), nullptr);
}

TEST_F(HelpTest, IsOfTheKeyboardOrOfThePointerWhicheverWasLast) {
  h.move(h.item("theme").centre());
  wait();
  ASSERT_NE(tip(), nullptr);
  EXPECT_EQ(h.ui.rest.on, h.ui.say("Dark or light"));
  tab_to(h, "randomise");
  wait();
  ASSERT_NE(tip(), nullptr);
  EXPECT_NE(h.ui.rest.on, h.ui.say("Dark or light"));
  const ImVec2 theme = h.item("theme").centre();
  h.move({theme.x + 1, theme.y});
  wait();
  ASSERT_NE(tip(), nullptr);
  EXPECT_EQ(h.ui.rest.on, h.ui.say("Dark or light"));
}

TEST_F(HelpTest, SaysWhyARowOfAMenuIsOff) {
  tab_to(h, "menu-Edit");
  h.key(Key::enter);
  h.frames(2);
  for (int i = 0; i < 20 && h.ui.focus.at() != "menu:redo"; ++i) h.key(Key::down);
  ASSERT_EQ(h.ui.focus.at(), "menu:redo");
  wait();
  ASSERT_NE(tip(), nullptr);
  const Reach reach{h.app, h.wishes};
  EXPECT_EQ(h.ui.rest.on, h.ui.say(find_action("redo")->why_not(reach)));
}

TEST_F(HelpTest, SaysWhyAParameterIsNotRead) {
  ASSERT_TRUE(h.ui.items.find("greyed:factor"));
  tab_to(h, "parameter:factor");
  wait();
  ASSERT_NE(tip(), nullptr);
  EXPECT_NE(h.ui.rest.on.find("Not read now"), std::string::npos) << h.ui.rest.on;
  const std::string before = h.app.settings().text("factor");
  h.key(Key::right);
  h.key(Key::enter);
  EXPECT_EQ(h.app.settings().text("factor"), before);
}

TEST_F(HelpTest, AWindowThatRestsAsksForNoMoreFrames) {
  tab_to(h, "randomise");
  wait();
  ASSERT_NE(tip(), nullptr);
  h.frames(3);
  EXPECT_GT(h.ui.wake_after, 0.04);
}

}  // namespace
}  // namespace orrery::gui::help_test
