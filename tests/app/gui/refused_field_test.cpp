// A parameter's field that waits to be mended, and the keyboard, which may be elsewhere meanwhile.
#include <gtest/gtest.h>

#include "tests/app/gui/harness.h"

namespace orrery::gui::refused_field_test {
namespace {

/// Until it is mended or taken back it stands there; nobody else's keys are its own.
TEST(RefusedField, ARefusedValueLeavesTheKeyboardToOthers) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.click("value:base");
  h.frames(3);
  h.type("nonsense");
  h.key(Key::enter);
  h.item("complaint:base");
  h.click("search");
  h.frames(5);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the field that was clicked has no caret";
  h.key(static_cast<Key>('P'), true);
  h.frames(5);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "nothing can be typed into the palette";
  h.key(Key::escape);
  h.frames(3);
  ASSERT_TRUE(h.ui.items.find("field:base")) << "it still waits";
  h.ui.focus.set("section:checks");  // a control that is drawn after Base
  h.frames(2);
  const bool folded = h.app.document().panes.folded.contains("checks");
  h.key(Key::enter);
  EXPECT_NE(h.app.document().panes.folded.contains("checks"), folded)
      << "Enter was taken by the refused field";
}

TEST(RefusedField, AnEndOfAMotionIsTypedByKeysAlone) {
  Harness h({1280, 800});
  h.app.start_with(study::find("rope/rotation"));
  h.settle();
  h.move(h.item("label:base").centre());
  h.click("play:base");
  h.app.toggle_play();  // stopped; its ends are shown
  tab_to(h, "motion:base:to");
  h.key(Key::enter);
  h.frames(3);
  h.item("field:base:to");
  h.type("2^20");
  h.key(Key::enter);
  EXPECT_EQ(h.app.motion(*h.app.moving()).to, 1048576);
}

TEST(RefusedField, TabLeavesAFieldForARowWhoseNameBeginsAlike) {
  Harness h({1280, 2400});
  h.app.start_with(study::find("norm/compare"));
  h.settle();
  h.click("value:token");
  h.frames(3);
  h.type("1");
  h.key(Key::tab);  // to "tokens"
  h.frames(2);
  EXPECT_FALSE(h.ui.items.find("field:token"));
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

}  // namespace
}  // namespace orrery::gui::refused_field_test
