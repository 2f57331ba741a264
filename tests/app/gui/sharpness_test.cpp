// When the window is painted at half its resolution.
#include "app/gui/sharpness.h"

#include <gtest/gtest.h>

namespace orrery::gui::sharpness_test {
namespace {

TEST(SharpnessTest, CoarseOnlyWhereSharpIsSlowAndThingsMove) {
  Sharpness s;
  EXPECT_FALSE(s.coarse(true));  // nothing is known yet: as it should be
  s.painted(false, 0.02);
  EXPECT_FALSE(s.coarse(true));
  s.painted(false, 0.07);
  EXPECT_TRUE(s.coarse(true));
  EXPECT_FALSE(s.coarse(false));  // what rests is sharp
  // That a coarse frame is quick says nothing of a sharp one: no flicker between both.
  s.painted(true, 0.02);
  EXPECT_TRUE(s.coarse(true));
  s.painted(false, 0.03);  // the window was made smaller
  EXPECT_FALSE(s.coarse(true));
}

}  // namespace
}  // namespace orrery::gui::sharpness_test
