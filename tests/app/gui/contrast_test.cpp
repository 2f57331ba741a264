// What the window's own colours keep, in both themes and with high contrast (WCAG 2.1).
#include "app/figure/contrast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

/// Along all four sides it stands out from the dialog's own ground and from what lies around it, which the dialog dims.
TEST_P(HighContrastTest, ADialogHasAnEdge) {
  h.key(Key::s, true);
  h.frames(20);  // what is around it has become as dim as it will be
  const ImDrawList* dialog = drawing_of("export");
  ASSERT_NE(dialog, nullptr);
  const Tokens& t = h.ui.tokens;
  // Of its ground, which ends in the middle of the outermost pixels.
  ImVec2 low(1e9f, 1e9f), high(-1e9f, -1e9f);
  for (const ImDrawVert& v : dialog->VtxBuffer) {
    if (v.col != color(t.pane)) continue;
    low = {std::min(low.x, v.pos.x), std::min(low.y, v.pos.y)};
    high = {std::max(high.x, v.pos.x), std::max(high.y, v.pos.y)};
  }
  ASSERT_GT(high.x - low.x, 400);
  ASSERT_GT(high.y - low.y, 300);
  ASSERT_TRUE(h.item("export-go").low.x > low.x && h.item("export-go").high.y < high.y);

  const auto expect_edge = [&](ImVec2 at, ImVec2 outwards) {
    const auto seen = [&](float way, figure::Color under) {
      return painted(*dialog, {at.x + way * outwards.x, at.y + way * outwards.y}, under);
    };
    for (const figure::Color under : {t.ground, t.pane}) {
      const figure::Color edge = seen(0, under);
      EXPECT_GE(figure::contrast(edge, seen(-4, under)), 3) << "inside of " << at.x << ", " << at.y;
      EXPECT_GE(figure::contrast(edge, seen(4, under)), 3) << "outside of " << at.x << ", " << at.y;
      EXPECT_EQ(seen(-4, under), t.pane);
    }
  };
  for (const float share : {0.1f, 0.3f, 0.5f, 0.7f, 0.9f}) {
    const float x = std::lerp(low.x, high.x, share), y = std::lerp(low.y, high.y, share);
    expect_edge({x, low.y}, {0, -1});
    expect_edge({x, high.y}, {0, 1});
    expect_edge({low.x, y}, {-1, 0});
    expect_edge({high.x, y}, {1, 0});
  }
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
