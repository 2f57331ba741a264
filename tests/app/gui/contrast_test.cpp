// What the window's own colours keep, in both themes and with high contrast (WCAG 2.1).
#include "app/figure/contrast.h"

#include <gtest/gtest.h>

#include "app/gui/style.h"

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

}  // namespace
}  // namespace orrery::gui::contrast_test
