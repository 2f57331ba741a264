// Pinning, comparing, the strip above the figure, what differs at the parameters, and how far it is from the reference.
#include "app/gui/pinned.h"

#include "app/gui/actions.h"
#include "tests/app/gui/harness.h"

namespace orrery::gui::pinned_test {
namespace {

std::size_t panels(Harness& h) {
  return h.app.result()->result.figure.panels.size();
}

void open(Harness& h, const char* study) {
  h.app.open(study::find(study));
  h.settle();
}

/// Until side A is there too.
void settle_both(Harness& h) {
  h.settle();
  for (int i = 0; h.app.pinning() && i < 5000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    h.frames();
  }
  h.settle();
}

TEST(CompareWindow, PinsWhatIsShownAndGoesOn) {
  Harness h;
  open(h, "rope/rotation");
  const std::size_t alone = panels(h);
  h.key(Key{'D'}, true);
  ASSERT_TRUE(h.app.document().pinned);
  EXPECT_FALSE(h.app.pinning()) << "it was computed already";
  h.settle();
  EXPECT_EQ(panels(h), 2 * alone);
  h.app.change_text("base", "10000");
  settle_both(h);
  EXPECT_EQ(panels(h), 2 * alone);
  EXPECT_EQ(h.app.document().pinned->settings.real("base"), 500000);
  h.click("compare:base");  // A's value, beside the parameter
  EXPECT_EQ(h.app.settings().real("base"), 500000);
  EXPECT_FALSE(h.ui.items.find("compare:base")) << "no longer another";
}

TEST(CompareWindow, TheStripSwapsReturnsAndUnpins) {
  Harness h;
  open(h, "rope/rotation");
  EXPECT_FALSE(h.ui.items.find("pinned"));
  pin(h.app);
  h.app.change_text("base", "10000");
  settle_both(h);
  h.click("swap-sides");
  EXPECT_EQ(h.app.settings().real("base"), 500000);
  EXPECT_EQ(h.app.document().pinned->settings.real("base"), 10000);
  settle_both(h);
  EXPECT_EQ(h.app.result()->compare->settings.real("base"), 10000);
  h.click("pinned");
  EXPECT_EQ(h.app.settings().real("base"), 10000);
  h.click("unpin");
  EXPECT_FALSE(h.app.document().pinned);
  settle_both(h);
  EXPECT_FALSE(h.app.result()->compare);
  while (h.app.undo()) {
  }
  EXPECT_FALSE(h.app.document().pinned);
}

TEST(CompareWindow, UndoBringsThePinnedSideBackAndItIsComputed) {
  Harness h;
  open(h, "activation/functions");
  const std::size_t alone = panels(h);
  pin(h.app);
  h.frames(2);
  unpin(h.app);
  h.frames(2);
  ASSERT_TRUE(h.app.undo());
  settle_both(h);
  EXPECT_EQ(panels(h), 2 * alone);
}

TEST(CompareWindow, ModesAreAClickAway) {
  Harness h;
  open(h, "activation/functions");
  pin(h.app);
  h.frames(2);
  h.click("together=Overlay");
  h.settle();
  EXPECT_EQ(h.app.document().together, figure::CompareMode::overlay);
  EXPECT_EQ(h.app.result()->compare->mode, figure::CompareMode::overlay);
  h.click("together=Difference");
  h.settle();
  EXPECT_EQ(h.app.result()->compare->mode, figure::CompareMode::difference);
  EXPECT_TRUE(h.ui.items.find("compare-remark")) << "the sides are equal, and that is said";
}

TEST(CompareWindow, OtherStudiesStandSideBySide) {
  Harness h;
  open(h, "activation/functions");
  const std::size_t of_a = panels(h);
  pin(h.app);
  open(h, "norm/compare");
  settle_both(h);
  EXPECT_EQ(h.app.result()->compare->study->id, "activation/functions");
  EXPECT_GT(panels(h), of_a);
  h.click("together=Overlay");
  h.settle();
  EXPECT_EQ(h.app.document().together, figure::CompareMode::side_by_side) << "nothing to lay over each other";
}

TEST(CompareWindow, AnExportSaysWhatItIsComparedWith) {
  Harness h;
  open(h, "rope/rotation");
  h.app.change_text("base", "10000");
  h.settle();
  pin(h.app);
  h.app.change_text("base", "20000");
  settle_both(h);
  const recipe::Recipe recipe = recipe_of(h.app.page, *h.app.result(), h.app.view());
  ASSERT_TRUE(recipe.compare);
  EXPECT_EQ(recipe.compare->settings.real("base"), 10000);
  unpin(h.app);
  h.app.open_recipe(recipe, "Open");
  ASSERT_TRUE(h.app.document().pinned);
  EXPECT_EQ(h.app.document().pinned->settings.real("base"), 10000);
}

TEST(CompareWindow, AgainstTheReference) {
  Harness h;
  open(h, "norm/compare");
  compare_with_reference(h.app);
  settle_both(h);
  EXPECT_EQ(h.app.document().pinned->device, study::DeviceChoice::ref);
  EXPECT_EQ(h.app.document().together, figure::CompareMode::difference);
  EXPECT_EQ(h.app.result()->device, study::DeviceChoice::cpu);
}

TEST(CompareWindow, SaysHowFarItIsFromTheReference) {
  Harness h;
  open(h, "norm/compare");
  for (int i = 0; !h.app.reference().difference() && i < 5000; ++i) {
    h.frames(1, 0.05);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_TRUE(h.app.reference().difference());
  // Floats beside doubles: not equal, and not further than some units of 2⁻²⁴.
  EXPECT_GT(h.app.reference().difference()->relative, 0);
  EXPECT_LT(h.app.reference().difference()->relative, 1e-5);
  h.frames(2);
  EXPECT_TRUE(h.ui.items.find("status:reference"));
  h.app.set_device(study::DeviceChoice::ref);
  h.settle();
  EXPECT_FALSE(h.ui.items.find("status:reference")) << "the reference is no distance from itself";
}

TEST(CompareWindow, BackToAOfAnotherStudyShowsAllOfIt) {
  Harness h;
  open(h, "rope/rotation");
  pin(h.app);
  open(h, "norm/compare");
  settle_both(h);
  figure::View near;
  near.panels.resize(5);
  near.panels[4].x = figure::Range{-0.25, 0.25};
  near.hidden.insert({4, 0});
  h.app.show(near);
  h.click("pinned");
  settle_both(h);
  EXPECT_EQ(h.app.study().id, "rope/rotation");
  EXPECT_EQ(h.app.view(), figure::View{}) << "it was of norm/compare";
}

TEST(CompareWindow, TheMenuSaysOfOtherStudiesWhatTheStripSays) {
  Harness h;
  open(h, "activation/functions");
  pin(h.app);
  show_together(h.app, figure::CompareMode::overlay);
  open(h, "norm/compare");
  settle_both(h);
  const Reach reach{h.app, h.wishes};
  EXPECT_TRUE(find_action("compare-side-by-side")->is_checked(reach));
  EXPECT_FALSE(find_action("compare-overlay")->is_checked(reach));
  EXPECT_EQ(find_action("compare-difference")->why_not(reach), "A is of another study");
}

}  // namespace
}  // namespace orrery::gui::pinned_test
