// How the window is divided, by arithmetic: widths of panes, and the scale that fits.
#include "app/gui/pane_layout.h"

#include <gtest/gtest.h>

namespace orrery::gui::pane_layout_test {
namespace {

TEST(PaneLayoutTest, TheFigureHasHalfOfTheWindowAtLeast) {
  for (float width = 640; width <= 3840; width += 8)
    for (const float list : {190.0f, 232.0f, 420.0f})
      for (const float inspector : {260.0f, 344.0f, 640.0f}) {
        const PaneLayout layout = arrange({.list = list, .inspector = inspector}, width);
        const float figure = width - layout.list - layout.inspector;
        EXPECT_GE(figure, 340 - 1) << width;
        if (layout.list > 0) {
          EXPECT_GE(figure, width / 2 - 1) << width;
          EXPECT_GE(layout.list, list_range.least);
        }
        EXPECT_TRUE(layout.inspector == 0 || layout.inspector >= inspector_range.least);
        EXPECT_LE(layout.list, list);
        EXPECT_LE(layout.inspector, inspector);
      }
  const PaneLayout usual = arrange({}, 1280);
  EXPECT_EQ(usual.list, 232);
  EXPECT_EQ(usual.inspector, 344);
  EXPECT_EQ(arrange({.list_shown = false}, 1280).list, 0);
  EXPECT_EQ(arrange({}, 700).list, 0);
}

TEST(PaneLayoutTest, ASizeThatDoesNotFitIsNotSilentlyAnotherOne) {
  EXPECT_EQ(english(too_large(3, 1, 1280, 800)), "300 % does not fit into this window: it is shown at 200 %");
  EXPECT_EQ(english(too_large(1.5, 2, 1280, 800)),
            "150 % does not fit into this window: it is shown at 100 %");
  EXPECT_TRUE(too_large(2, 1, 1280, 800).empty());
  EXPECT_TRUE(too_large(3, 1, 1920, 1200).empty());
  EXPECT_TRUE(too_large(1.21, 1, 1280, 800).empty()) << "a step of the scale is not worth a word";
}

TEST(PaneLayoutTest, TheScaleGivesWayBeforeTheWindowIsTooSmall) {
  EXPECT_FLOAT_EQ(fitting_scale(1, 1280, 800), 1);
  EXPECT_FLOAT_EQ(fitting_scale(2, 1280, 800), 2);
  EXPECT_FLOAT_EQ(fitting_scale(2, 960, 800), 1.5f);
  EXPECT_FLOAT_EQ(fitting_scale(2, 640, 400), 1);
  EXPECT_FLOAT_EQ(fitting_scale(1, 320, 200), 0.5f);
  EXPECT_FLOAT_EQ(fitting_scale(1.26, 3840, 2160), 1.25f);
}

}  // namespace
}  // namespace orrery::gui::pane_layout_test
