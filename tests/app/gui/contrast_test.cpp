// What the window's own colours keep, in both themes and with high contrast (WCAG 2.1).
#include "app/figure/contrast.h"

#include <gtest/gtest.h>

#include "tests/app/gui/drawn.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::contrast_test {
namespace {

TEST(ContrastTest, WordsAreReadOnEveryGround) {
  for (const char* name : {"dark", "light"})
    for (const bool high : {false, true}) {
      const Tokens t = tokens_of(screen_theme(name, high));
      for (const figure::Color word : {t.text, t.secondary, t.faint, t.accent, t.holds, t.fails}) {
        EXPECT_GE(figure::contrast(word, t.pane), high ? 7 : 4.5) << name << high;
        EXPECT_GE(figure::contrast(word, t.control), high ? 4.5 : 1) << name;
      }
      EXPECT_GE(figure::contrast(t.text, t.raised), 4.5) << name << high;
    }
}

TEST(ContrastTest, HighMakesControlsStandOutFromTheirPane) {
  for (const char* name : {"dark", "light"}) {
    const Tokens t = tokens_of(screen_theme(name, true));
    for (const figure::Color control : {t.control, t.raised, t.line})
      EXPECT_GE(figure::contrast(control, t.pane), 3) << name;
  }
}

TEST(ContrastTest, HighMakesWhatIsChosenAndTheButtonThatMattersStandOut) {
  for (const char* name : {"dark", "light"}) {
    const Tokens t = tokens_of(screen_theme(name, true));
    EXPECT_GE(figure::contrast(t.chosen, t.control), 3) << name;
    EXPECT_GE(figure::contrast(t.on_chosen, t.chosen), 7) << name;
    EXPECT_GE(figure::contrast(t.primary, t.pane), 3) << name;
    EXPECT_GE(figure::contrast(t.primary, t.control), 3) << name;
    EXPECT_GE(figure::contrast(t.on_primary, t.primary), 7) << name;
  }
}

class HighContrastTest : public testing::TestWithParam<const char*> {
 protected:
  HighContrastTest() {
    h.app.preferences.theme = GetParam();
    h.app.preferences.high_contrast = true;
    h.app.start_with(study::find("rope/rotation"));
    h.settle();
  }
  /// From its left end to its right: below a dialog the figure may have such a colour too.
  bool filled(std::string_view name, figure::Color ink) {
    const ItemBox box = h.item(name);
    const Drawn found = drawn({{box.low.x, box.low.y}, {box.high.x + 1, box.high.y + 1}}, color(ink));
    return found.left <= box.low.x + 3 && found.right >= box.high.x - 3;
  }
  Harness h{{1280, 800}};
};

TEST_P(HighContrastTest, WhatIsChosenIsFilledWithTheAccent) {
  const figure::Color accent = h.ui.tokens.accent;
  EXPECT_TRUE(filled("parameter:pairing=interleaved", accent));
  EXPECT_FALSE(filled("parameter:pairing=half", accent));
  EXPECT_TRUE(filled("export", accent));
  h.key(Key::s, true);
  h.frames(3);
  h.click("size=slide");
  h.frames(2);
  EXPECT_TRUE(filled("size=slide", accent));
  EXPECT_FALSE(filled("size=column", accent));
  h.key(Key::escape);
}

TEST_P(HighContrastTest, ADialogHasAnEdge) {
  h.key(Key::s, true);
  h.frames(3);
  const ItemBox go = h.item("export-go");
  const ImVec2 corner(go.high.x + 24, go.high.y + 20);  // of the dialog
  const ItemBox near{{corner.x - 9, corner.y - 9}, {corner.x + 2, corner.y + 2}};
  EXPECT_GT(drawn(near, color(h.ui.tokens.line)).corners, 0);
  EXPECT_GE(figure::contrast(h.ui.tokens.line, h.ui.tokens.pane), 3);
}

INSTANTIATE_TEST_SUITE_P(Themes, HighContrastTest, testing::Values("dark", "light"));

TEST(ContrastTest, WhatIsSelectedInAListHasAFrameWithHighContrast) {
  for (const bool high : {false, true}) {
    Harness h({1280, 800});
    h.app.preferences.high_contrast = high;
    h.settle();
    h.key(Key::p, true);  // the palette: its first row is selected
    h.frames(3);
    std::string first;
    for (const auto& [name, box] : h.ui.items.all())
      if (name.starts_with("palette:") && (first.empty() || box.low.y < h.item(first).low.y)) first = name;
    const ItemBox row = h.item(first);
    const ItemBox edge{{row.low.x - 1, row.low.y}, {row.low.x + 4, row.high.y}};
    EXPECT_EQ(drawn(edge, color(h.ui.tokens.accent)).corners > 0, high) << first;
  }
}

}  // namespace
}  // namespace orrery::gui::contrast_test
